#include "cmd/kubectl-vapcheck/bindings_status.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/findings/conditions.h"
#include "controller/reconcile/bindingcheck.h"
#include "controller/reconcile/paramref.h"

void bindings_status_init(struct bindings_status *s, struct remote *remote, struct json_object *policies,
                          const struct discovery *discovery)
{
    struct err err = {0};
    *s = (struct bindings_status){remote, discovery, store_new(NULL, NULL)};
    for (size_t i = 0; i < jsonval_length(policies); i++) {
        const char *text = json_object_to_json_string(jsonval_at(policies, i));
        (void)!store_put(s->policies, text, strlen(text), NULL, &err);
    }
}

void bindings_status_deinit(struct bindings_status *s)
{
    store_free(s->policies);
}

/* Adds the condition that says if the parameters are there. It adds nothing if the binding or the policy
 * names none. */
static void find_params(const struct bindings_status *s, struct conditions *out, struct json_object *binding,
                        const struct store_object *policy)
{
    enum paramref_answer answer = PARAMREF_MISSING;
    struct paramref ref;
    struct err err = {0};
    const char *bytes = NULL;
    size_t len = 0;
    if (!paramref_init(&ref, binding, policy, s->discovery))
        return;
    if (ref.path != NULL) {
        const bool is_kept = remote_get(s->remote, ref.path, &bytes, &len, &err) == 0;
        answer = paramref_read(&ref, bytes, len, &err);
        if (is_kept)
            remote_forget_last(s->remote);
    }
    paramref_add(out, &ref, answer, err.msg);
    paramref_deinit(&ref);
}

/* The worst of what is known about the parameters; "-" where there are none. */
static const char *params_cell(const struct conditions *c, struct json_object *ref)
{
    const struct condition *fits = conditions_find(c, CONDITIONS_PARAM_REF),
                           *found = conditions_find(c, CONDITIONS_PARAMS);
    if (fits != NULL && strcmp(fits->status, "True") != 0)
        return fits->status;
    return found != NULL ? found->status : ref != NULL && fits != NULL ? fits->status : "-";
}

static const char *problem_of(const struct conditions *c)
{
    size_t i = 0;
    while (i < c->count && strcmp(c->items[i].status, "True") == 0)
        i++;
    return i == c->count ? "" : c->items[i].message;
}

static struct json_object *list_conditions(const struct conditions *c)
{
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < c->count; i++) {
        const struct condition *from = &c->items[i];
        struct json_object *item = json_object_new_object();
        jsonval_set(item, "type", json_object_new_string(from->type));
        jsonval_set(item, "status", json_object_new_string(from->status));
        jsonval_set(item, "reason", json_object_new_string(from->reason));
        jsonval_set(item, "message", json_object_new_string(from->message));
        jsonval_append(list, item);
    }
    return list;
}

void bindings_status_row(const struct bindings_status *s, struct statusrow *row, struct json_object *binding,
                         time_t now)
{
    struct json_object *metadata = jsonval_get(binding, "metadata"), *spec = jsonval_get(binding, "spec");
    struct json_object *ref = jsonval_get(spec, "paramRef");
    const char *policy = jsonval_string_or_empty(spec, "policyName");
    const char *created = jsonval_string_or_empty(metadata, "creationTimestamp");
    struct conditions c;
    bindingcheck_init(&c, &(struct bindingcheck_input){
                              .binding = binding, .policies = s->policies, .discovery = s->discovery});
    find_params(s, &c, binding, store_get(s->policies, policy));
    *row = (struct statusrow){.name = jsonval_string_or_empty(metadata, "name")};
    row->cells[BINDINGS_STATUS_POLICY] = mem_strdup(policy);
    row->cells[BINDINGS_STATUS_FOUND] = mem_strdup(conditions_find(&c, CONDITIONS_POLICY)->status);
    row->cells[BINDINGS_STATUS_PARAMS] = mem_strdup(params_cell(&c, ref));
    row->cells[BINDINGS_STATUS_AGE] = statusrow_age(created, now);
    row->cells[BINDINGS_STATUS_PROBLEM] = mem_strdup(problem_of(&c));
    row->json = json_object_new_object();
    jsonval_set(row->json, "name", json_object_new_string(row->name));
    jsonval_set(row->json, "policyName", json_object_new_string(policy));
    jsonval_set(row->json, "conditions", list_conditions(&c));
    jsonval_set(row->json, "creationTimestamp", json_object_new_string(created));
    conditions_deinit(&c);
}
