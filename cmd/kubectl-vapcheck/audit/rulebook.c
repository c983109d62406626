#include "cmd/kubectl-vapcheck/audit/rulebook.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/admission/validation.h"

static const char *name_of(struct json_object *object)
{
    return jsonval_string_or_empty(jsonval_get(object, "metadata"), "name");
}

const char *audit_effect_name(enum audit_effect effect)
{
    static const char *const names[AUDIT_EFFECTS] = {
        [AUDIT_REFUSED] = "refused", [AUDIT_WARNED] = "warned",   [AUDIT_AUDITED] = "audited",
        [AUDIT_FAILED] = "failed",   [AUDIT_IGNORED] = "ignored",
    };
    return names[effect];
}

void rulebook_deinit(struct rulebook *book)
{
    for (size_t i = 0; i < book->count; i++) {
        struct rulebook_policy *p = &book->items[i];
        dispatch_free(p->dispatch);
        json_object_put(p->json);
        mem_free(p->file);
        mem_free(p->bindings);
        mem_free(p->problem);
    }
    for (size_t i = 0; i < book->n_bindings; i++)
        json_object_put(book->bindings[i]);
    mem_free(book->items);
    mem_free(book->bindings);
    *book = (struct rulebook){0};
}

bool rulebook_add_policy(struct rulebook *book, struct json_object *policy, const char *file, size_t line)
{
    for (size_t i = 0; i < book->count; i++) {
        if (strcmp(book->items[i].name, name_of(policy)) == 0)
            return false;
    }
    book->items = mem_grow(book->items, book->count, sizeof *book->items);
    book->items[book->count++] = (struct rulebook_policy){.json = json_object_get(policy),
                                                          .name = name_of(policy),
                                                          .file = mem_strdup(file),
                                                          .line = line,
                                                          .steps_left = RULEBOOK_POLICY_STEPS};
    return true;
}

bool rulebook_add_binding(struct rulebook *book, struct json_object *binding)
{
    for (size_t i = 0; i < book->n_bindings; i++) {
        if (strcmp(name_of(book->bindings[i]), name_of(binding)) == 0)
            return false;
    }
    book->bindings = mem_grow(book->bindings, book->n_bindings, sizeof(struct json_object *));
    book->bindings[book->n_bindings++] = json_object_get(binding);
    return true;
}

void rulebook_set_problem(struct rulebook_policy *policy, char *take_problem)
{
    if (policy->problem == NULL)
        policy->problem = take_problem;
    else
        mem_free(take_problem);
}

/* What the server says instead of storing an object of a file; NULL: it stores it. */
static char *first_refusal(const struct rulebook *book, struct json_object *object, bool is_policy)
{
    struct fielderrors refusals = {.minor = book->minor};
    char *text = NULL;
    if (is_policy)
        validation_of_policy(object, book->new_env, &refusals);
    else
        validation_of_binding(object, &refusals);
    if (refusals.count != 0)
        text = mem_printf("the API server refuses it: %s: %s", refusals.items[0].field,
                          refusals.items[0].message);
    fielderrors_deinit(&refusals);
    return text;
}

static void bind(struct rulebook *book, struct rulebook_policy *p, struct json_object *binding)
{
    struct err err = {0};
    bool is_stored = jsonval_get(jsonval_get(binding, "metadata"), "uid") != NULL;
    char *refusal = binding == NULL || is_stored ? NULL : first_refusal(book, binding, false);
    if (refusal != NULL) {
        rulebook_set_problem(p, mem_printf("binding %s: %s", name_of(binding), refusal));
        mem_free(refusal);
    } else if (dispatch_bind(p->dispatch, binding, &err) != 0) {
        rulebook_set_problem(p, mem_strdup(err.msg));
    } else {
        p->bindings = mem_grow(p->bindings, p->n_bindings, sizeof(struct json_object *));
        p->bindings[p->n_bindings++] = binding;
    }
}

static void bind_all(struct rulebook *book, struct rulebook_policy *p)
{
    bool is_named = false;
    for (size_t i = 0; i < book->n_bindings; i++) {
        if (!jsonval_is(jsonval_get(book->bindings[i], "spec"), "policyName", p->name))
            continue;
        bind(book, p, book->bindings[i]);
        is_named = true;
    }
    p->is_unbound = !is_named;
    if (p->is_unbound && jsonval_get(jsonval_get(p->json, "spec"), "paramKind") != NULL)
        rulebook_set_problem(p,
                             mem_strdup("it has a paramKind, and no binding says which parameters to take"));
    else if (p->is_unbound)
        bind(book, p, NULL);
}

void rulebook_bind(struct rulebook *book)
{
    struct err err = {0};
    for (size_t i = 0; i < book->count; i++) {
        struct rulebook_policy *p = &book->items[i];
        char *refusal = p->file[0] == '\0' ? NULL : first_refusal(book, p->json, true);
        if (refusal != NULL)
            rulebook_set_problem(p, refusal);
        else if (dispatch_new(p->json, book->env, &p->dispatch, &err) != 0)
            rulebook_set_problem(p, mem_strdup(err.msg));
        else
            bind_all(book, p);
    }
}
