#include "cmd/kubectl-vapcheck/audit/rulebook.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/validation.h"

const char *audit_effect_name(enum audit_effect effect)
{
    static const char *const names[AUDIT_EFFECTS] = {
        [AUDIT_REFUSED] = "refused", [AUDIT_WARNED] = "warned",   [AUDIT_AUDITED] = "audited",
        [AUDIT_FAILED] = "failed",   [AUDIT_IGNORED] = "ignored", [AUDIT_CHANGED] = "changed",
        [AUDIT_UNKNOWN] = "unknown",
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
        json_object_put(book->bindings[i].json);
    mem_free(book->items);
    mem_free(book->bindings);
    *book = (struct rulebook){0};
}

bool rulebook_add_policy(struct rulebook *book, struct json_object *policy,
                         const struct rulebook_origin *origin)
{
    for (size_t i = 0; i < book->count; i++) {
        if (book->items[i].is_mutating == origin->is_mutating &&
            strcmp(book->items[i].name, jsonval_metadata(policy, "name")) == 0)
            return false;
    }
    book->items = mem_grow(book->items, book->count, sizeof *book->items);
    book->items[book->count++] = (struct rulebook_policy){.json = json_object_get(policy),
                                                          .name = jsonval_metadata(policy, "name"),
                                                          .file = mem_strdup(origin->file),
                                                          .line = origin->line,
                                                          .is_mutating = origin->is_mutating,
                                                          .is_beside = origin->is_beside,
                                                          .steps_left = RULEBOOK_POLICY_STEPS};
    return true;
}

bool rulebook_add_binding(struct rulebook *book, struct json_object *binding, bool is_mutating)
{
    for (size_t i = 0; i < book->n_bindings; i++) {
        if (book->bindings[i].is_mutating == is_mutating &&
            strcmp(jsonval_metadata(book->bindings[i].json, "name"), jsonval_metadata(binding, "name")) == 0)
            return false;
    }
    book->bindings = mem_grow(book->bindings, book->n_bindings, sizeof *book->bindings);
    book->bindings[book->n_bindings++] = (struct rulebook_binding){json_object_get(binding), is_mutating};
    return true;
}

bool rulebook_is_idle(const struct rulebook_policy *p)
{
    return p->is_mutating && p->is_unbound && p->file[0] == '\0';
}

void rulebook_set_problem(struct rulebook_policy *policy, char *take_problem)
{
    if (policy->problem == NULL)
        policy->problem = take_problem;
    else
        mem_free(take_problem);
}

/* The server's reason for not storing an object of a file; NULL: it stores it. */
static char *first_refusal(const struct rulebook *book, struct json_object *object, bool is_policy,
                           bool is_mutating)
{
    static validation_find *const of_policies[] = {validation_of_policy, validation_of_mutating_policy};
    static validation_find_binding *const of_bindings[] = {validation_of_binding,
                                                           validation_of_mutating_binding};
    struct fielderrors refusals = {.minor = book->minor};
    char *text = NULL;
    if (is_policy)
        of_policies[is_mutating](object, book->new_env, &refusals);
    else
        of_bindings[is_mutating](object, &refusals);
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
    char *refusal = binding == NULL || is_stored ? NULL : first_refusal(book, binding, false, p->is_mutating);
    if (refusal != NULL) {
        rulebook_set_problem(p, mem_printf("binding %s: %s", jsonval_metadata(binding, "name"), refusal));
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
        const struct rulebook_binding *b = &book->bindings[i];
        if (b->is_mutating != p->is_mutating ||
            !jsonval_is(jsonval_get(b->json, "spec"), "policyName", p->name))
            continue;
        bind(book, p, b->json);
        is_named = true;
    }
    p->is_unbound = !is_named;
    if (rulebook_is_idle(p))
        return;
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
        char *refusal = p->file[0] == '\0' ? NULL : first_refusal(book, p->json, true, p->is_mutating);
        if (refusal != NULL)
            rulebook_set_problem(p, refusal);
        else if (dispatch_new(p->json, book->env, &p->dispatch, &err) != 0)
            rulebook_set_problem(p, mem_strdup(err.msg));
        else
            bind_all(book, p);
    }
}
