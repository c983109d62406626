#include "cmd/kubectl-vapcheck/check/check_binding.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/binding_params.h"
#include "controller/match/types.h"

/* Says if the policy that the binding names is among the files. If it is not, a cluster may still have it,
 * unless its name is nearly the name of a policy in the files. */
static struct condition find_policy(const struct policyindex *index, const char *name)
{
    if (policyindex_policy(index, name) != NULL)
        return (struct condition){OUTPUT_POLICY_FOUND, "True", "AmongInputs",
                                  mem_printf("policy %s is among the files", name)};
    const char *nearest = policyindex_nearest(index, name);
    if (nearest != NULL)
        return (struct condition){
            OUTPUT_POLICY_FOUND, "False", "NameMisspelled",
            mem_printf("policy %s is not among the files, did you mean %s?", name, nearest)};
    return (struct condition){OUTPUT_POLICY_FOUND, "Unknown", "NotAmongInputs",
                              mem_printf("policy %s is not among the files", name)};
}

/* The mistakes of a binding that are not about its policy. */
struct mismatch {
    struct fielderrors params; /* of FINDING_BINDING_PARAMS */
    char *elsewhere, *hint;    /* of FINDING_PARAMS_ELSEWHERE; NULL: it has none */
    const char *elsewhere_field;
};

/* The object that the binding names is in no file, but a similar one is. */
static void find_elsewhere(struct mismatch *m, struct paramindex *params, struct json_object *binding,
                           const struct policyview *policy)
{
    struct json_object *ref = jsonval_get(jsonval_get(binding, "spec"), "paramRef");
    const struct paramindex_ref wanted = {policy->param_api_version, policy->param_kind,
                                          jsonval_string_or_empty(ref, "name"),
                                          jsonval_string_or_empty(ref, "namespace")};
    struct paramindex_ref found;
    if (!policy->policy.has_params || *wanted.name == '\0' || *wanted.namespace == '\0' ||
        !paramindex_find(params, &wanted, &found))
        return;
    const bool is_name = strcmp(found.name, wanted.name) != 0;
    m->elsewhere_field = is_name ? "spec.paramRef.name" : "spec.paramRef.namespace";
    m->elsewhere = is_name ? mem_printf("no file has %s %s in the namespace %s, but there is %s\n",
                                        wanted.kind, wanted.name, wanted.namespace, found.name)
                           : mem_printf("no file has %s %s in the namespace %s, but there is one in %s\n",
                                        wanted.kind, wanted.name, wanted.namespace, found.namespace);
    m->hint = mem_printf("did you mean '%s'?", is_name ? found.name : found.namespace);
}

static void mismatch_deinit(struct mismatch *m)
{
    fielderrors_deinit(&m->params);
    mem_free(m->elsewhere);
    mem_free(m->hint);
}

static void check_with_policy(struct checkrun *r, const struct policyindex *index,
                              struct json_object *binding, const char *policy_name, struct mismatch *out)
{
    struct json_object *json = policyindex_policy(index, policy_name);
    struct policyview *policy;
    struct err err = {0};
    if (json == NULL || policyview_new(json, &policy, &err) != 0)
        return;
    binding_params_run(binding, policy, schemas_discovery(r->schemas), &out->params);
    find_elsewhere(out, &r->params, binding, policy);
    policyview_free(policy);
}

/* The caller frees the list. */
static struct output_warning *list_mismatch(const struct mismatch *m, size_t *count)
{
    struct output_warning *warnings = mem_array(m->params.count + 1, sizeof *warnings);
    for (size_t i = 0; i < m->params.count; i++)
        warnings[i] = (struct output_warning){.id = FINDING_BINDING_PARAMS,
                                              .field = m->params.items[i].field,
                                              .text = m->params.items[i].message,
                                              .len = strlen(m->params.items[i].message),
                                              .at = EXTENT_NOWHERE,
                                              .hint = "",
                                              .source = OUTPUT_VAPCHECK};
    *count = m->params.count;
    if (m->elsewhere != NULL)
        warnings[(*count)++] = (struct output_warning){.id = FINDING_PARAMS_ELSEWHERE,
                                                       .field = m->elsewhere_field,
                                                       .text = m->elsewhere,
                                                       .len = strlen(m->elsewhere),
                                                       .at = EXTENT_NOWHERE,
                                                       .hint = m->hint,
                                                       .source = OUTPUT_VAPCHECK};
    return warnings;
}

/* The rules of the binding's own matchResources that match nothing. */
struct rules {
    struct types_list list;
    struct output_extra *extras;
    size_t n_extras;
};

/* A binding's matchResources are read as a policy's matchConstraints. */
static void rules_init(struct rules *rules, struct checkrun *r, struct json_object *binding)
{
    const struct types_options options = {.scope = TYPES_FULL,
                                          .max_types = TYPES_MAX_DEFAULT,
                                          .minor = schemas_minor(r->schemas),
                                          .rules_field = "spec.matchResources.resourceRules"};
    struct json_object *resources = jsonval_get(jsonval_get(binding, "spec"), "matchResources");
    cleanup_json struct json_object *json = json_object_new_object();
    struct json_object *spec = json_object_new_object();
    struct policyview *policy;
    struct err err = {0};
    *rules = (struct rules){0};
    jsonval_set(json, "spec", spec);
    jsonval_set(spec, "matchConstraints", json_object_get(resources));
    if (policyview_new_of(POLICYVIEW_VALIDATING, json, &policy, &err) != 0)
        return;
    types_resolve(&policy->match, schemas_discovery(r->schemas), &options, &rules->list);
    rules->extras = mem_array(rules->list.n_problems + 1, sizeof *rules->extras);
    for (size_t i = 0; i < rules->list.n_problems; i++) {
        const struct types_problem *p = &rules->list.problems[i];
        const enum finding_id id = finding_of_problem(p);
        if (p->is_certain || id == FINDING_LIMIT_REACHED)
            rules->extras[rules->n_extras++] =
                (struct output_extra){.id = id, .field = p->field, .text = p->message};
    }
    policyview_free(policy);
}

static void rules_deinit(struct rules *rules)
{
    types_list_deinit(&rules->list);
    mem_free(rules->extras);
}

void check_binding(struct checkrun *r, const struct output_place *place, const struct policyindex *index,
                   validation_find_binding *find)
{
    struct json_object *json = place->root->json;
    const char *policy_name = jsonval_string_or_empty(jsonval_get(json, "spec"), "policyName");
    struct fielderrors refusals = {.minor = schemas_minor(r->schemas)};
    struct mismatch found = {0};
    if (!checkrun_refuse_unserved(r, json, &refusals))
        find(json, &refusals);
    checkrun_check_directory(r, place, &refusals);
    check_with_policy(r, index, json, policy_name, &found);
    const char **hints = checkrun_find_hints(r, place, &refusals);
    struct rules rules;
    rules_init(&rules, r, json);
    size_t n_warnings;
    struct output_warning *warnings = list_mismatch(&found, &n_warnings);
    struct conditions conditions = {.items = {find_policy(index, policy_name)}, .count = 1};
    struct output_finding finding = {.name = jsonval_metadata(json, "name"),
                                     .refusals = &refusals,
                                     .hints = hints,
                                     .warnings = warnings,
                                     .n_warnings = n_warnings,
                                     .extras = rules.extras,
                                     .n_extras = rules.n_extras,
                                     .conditions = &conditions};
    checkrun_report(r, place, &finding);
    rules_deinit(&rules);
    conditions_deinit(&conditions);
    fielderrors_deinit(&refusals);
    mismatch_deinit(&found);
    mem_free(hints);
    mem_free(warnings);
}
