#include "cmd/kubectl-vapcheck/bindings_status.h"

#include <string.h>

#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "cmd/kubectl-vapcheck/input/paramobjects.h"
#include "controller/admission/binding_params.h"
#include "controller/check/conditions.h"
#include "controller/reconcile/bindingcheck.h"

#define PARAMS_FOUND "ParamsFound"

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

/* What becomes of a request where there is no parameter. */
static const char *consequence(struct json_object *ref)
{
    return strcmp(jsonval_string_or_empty(ref, "parameterNotFoundAction"), "Allow") == 0
               ? "parameterNotFoundAction is Allow, so that the binding has no effect"
               : "parameterNotFoundAction is Deny, so that each request is answered as failurePolicy says";
}

static void add_params_found(const struct bindings_status *s, struct conditions *out,
                             const struct policyview *policy, const struct discovery_resource *resource,
                             struct json_object *ref)
{
    struct err err = {0};
    cleanup_mem char *what = paramobjects_describe(resource, ref);
    switch (paramobjects_find(s->remote, policy->param_api_version, resource, ref, &err)) {
    case PARAMOBJECTS_THERE:
        conditions_add(out, PARAMS_FOUND, "True", "Found",
                       mem_printf("the cluster has a %s %s", resource->kind, what));
        return;
    case PARAMOBJECTS_MISSING:
        conditions_add(out, PARAMS_FOUND, "False", "NotFound",
                       mem_printf("there is no %s %s; %s", resource->kind, what, consequence(ref)));
        return;
    case PARAMOBJECTS_UNREADABLE:
        conditions_add(
            out, PARAMS_FOUND, "Unknown", "Unreadable",
            mem_printf("it cannot be seen whether there is a %s %s: %s", resource->kind, what, err.msg));
        return;
    }
}

/* Whether the parameters are there; nothing where the binding or the policy names none. */
static void find_params(const struct bindings_status *s, struct conditions *out, struct json_object *ref,
                        const struct store_object *stored)
{
    cleanup_json struct json_object *json = NULL;
    struct policyview *policy;
    struct err err = {0};
    if (stored == NULL || ref == NULL || jsonval_parse(stored->bytes, stored->len, &json, &err) != 0 ||
        policyview_new_of(POLICYVIEW_VALIDATING, json, &policy, &err) != 0)
        return;
    cleanup_groupversion struct groupversion gv = groupversion_split(policy->param_api_version);
    const struct discovery_resource *resource =
        discovery_find_kind(discovery_find_version(s->discovery, gv.group, gv.version), policy->param_kind);
    if (resource != NULL)
        add_params_found(s, out, policy, resource, ref);
    else if (policy->has_param_kind)
        conditions_add(out, PARAMS_FOUND, "False", "KindNotFound",
                       mem_printf("the cluster serves no kind %s of %s, the paramKind of policy %s",
                                  policy->param_kind, policy->param_api_version, policy->name));
    policyview_free(policy);
}

/* The worst of what is known about the parameters; "-" where there are none. */
static const char *params_cell(const struct conditions *c, struct json_object *ref)
{
    const struct condition *fits = conditions_find(c, CONDITIONS_PARAM_REF),
                           *found = conditions_find(c, PARAMS_FOUND);
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
        json_object_object_add(item, "type", json_object_new_string(from->type));
        json_object_object_add(item, "status", json_object_new_string(from->status));
        json_object_object_add(item, "reason", json_object_new_string(from->reason));
        json_object_object_add(item, "message", json_object_new_string(from->message));
        json_object_array_add(list, item);
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
    bindingcheck_init(&c, &(struct bindingcheck_input){.binding = binding,
                                                       .policies = s->policies,
                                                       .discovery = s->discovery,
                                                       .find_params = binding_params_run});
    find_params(s, &c, ref, store_get(s->policies, policy));
    *row = (struct statusrow){.name = jsonval_string_or_empty(metadata, "name")};
    row->cells[BINDINGS_STATUS_POLICY] = mem_strdup(policy);
    row->cells[BINDINGS_STATUS_FOUND] = mem_strdup(conditions_find(&c, CONDITIONS_POLICY)->status);
    row->cells[BINDINGS_STATUS_PARAMS] = mem_strdup(params_cell(&c, ref));
    row->cells[BINDINGS_STATUS_AGE] = statusrow_age(created, now);
    row->cells[BINDINGS_STATUS_PROBLEM] = mem_strdup(problem_of(&c));
    row->json = json_object_new_object();
    json_object_object_add(row->json, "name", json_object_new_string(row->name));
    json_object_object_add(row->json, "policyName", json_object_new_string(policy));
    json_object_object_add(row->json, "conditions", list_conditions(&c));
    json_object_object_add(row->json, "creationTimestamp", json_object_new_string(created));
    conditions_deinit(&c);
}
