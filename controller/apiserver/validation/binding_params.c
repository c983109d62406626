#include "controller/apiserver/validation/binding_params.h"

#include <stdbool.h>
#include <string.h>

#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/match/types.h"

/* The resource that holds the params; NULL if there is none. */
static const struct discovery_resource *param_resource(const struct policyview *policy,
                                                       const struct discovery *d)
{
    cleanup_groupversion struct groupversion named = groupversion_split(policy->param_api_version);
    return discovery_find_kind(discovery_find_version(d, named.group, named.version), policy->param_kind);
}

/* Returns true if an expression speaks of params at all. */
static bool uses_params(const struct policyview *policy)
{
    for (size_t i = 0; i < policy->policy.count; i++) {
        if (strstr(policy->policy.expressions[i].text.at, "params") != NULL)
            return true;
    }
    return false;
}

/* A resource that the policy matches and that has no namespace, for certain; NULL if there is none. A
 * Namespace counts as in itself. */
static char *cluster_scoped_resource(const struct policyview *policy, const struct discovery *d)
{
    const struct types_options options = {.scope = TYPES_FULL, .max_types = TYPES_MAX_DEFAULT};
    struct types_list list;
    char *found = NULL;
    types_resolve(&policy->match, d, &options, &list);
    for (size_t i = 0; i < list.n_requests && found == NULL; i++) {
        const struct types_request *r = &list.requests[i];
        if (!r->is_namespaced && strcmp(r->resource, "namespaces") != 0)
            found = mem_printf("%s%s%s %s", r->group, *r->group == '\0' ? "" : "/", r->version, r->resource);
    }
    types_list_deinit(&list);
    return found;
}

static void check_namespace(struct json_object *binding, const struct policyview *policy,
                            const struct discovery *d, struct fielderrors *warnings)
{
    struct json_object *spec = jsonval_get(binding, "spec"), *ref = jsonval_get(spec, "paramRef");
    struct json_object *resources = jsonval_get(spec, "matchResources");
    const struct discovery_resource *param = param_resource(policy, d);
    bool has_namespace = *jsonval_string_or_empty(ref, "namespace") != '\0';
    if (param == NULL)
        return; /* the policy's condition ParamKindFound tells that */
    if (has_namespace && !param->is_namespaced)
        fielderrors_add(warnings,
                        mem_printf("every request fails: paramRef.namespace must not be provided for a "
                                   "cluster-scoped paramKind (%s %s)\n",
                                   policy->param_api_version, policy->param_kind),
                        "spec.paramRef.namespace");
    if (has_namespace || !param->is_namespaced ||
        jsonval_length(jsonval_array(resources, "resourceRules")) > 0)
        return;
    cleanup_mem char *resource = cluster_scoped_resource(policy, d);
    if (resource != NULL)
        fielderrors_add(warnings,
                        mem_printf("every request about a cluster-scoped resource (%s) fails: without "
                                   "paramRef.namespace, params are looked for in the request's namespace\n",
                                   resource),
                        "spec.paramRef");
}

void binding_params_run(struct json_object *binding, const struct policyview *policy,
                        const struct discovery *discovery, struct fielderrors *warnings)
{
    struct json_object *ref = jsonval_get(jsonval_get(binding, "spec"), "paramRef");
    if (!policy->policy.has_params && ref != NULL)
        fielderrors_add(warnings, mem_printf("it is ignored: policy %s has no paramKind\n", policy->name),
                        "spec.paramRef");
    else if (policy->policy.has_params && ref == NULL && uses_params(policy))
        fielderrors_add(
            warnings,
            mem_printf("it is missing: policy %s has paramKind %s %s, and params is null without it\n",
                       policy->name, policy->param_api_version, policy->param_kind),
            "spec.paramRef");
    else if (policy->policy.has_params && ref != NULL)
        check_namespace(binding, policy, discovery, warnings);
}
