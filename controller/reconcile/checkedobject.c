#include "controller/reconcile/checkedobject.h"

#include "client/base/log.h"
#include "client/text/jsonval.h"
#include "controller/findings/suppress.h"

bool checkedobject_is_left_alone(struct json_object *object, const struct labelselector *selector)
{
    struct json_object *metadata = jsonval_get(object, "metadata");
    return suppress_is_skipped(object) ||
           (selector != NULL && !labelselector_matches(selector, jsonval_get(metadata, "labels")));
}

/* No server has a policy without one. */
static int check_name(const struct policyview *policy, struct err *err)
{
    return policy->name[0] != '\0' ? 0 : err_set(err, ERR_INVALID, "metadata.name is missing");
}

bool checkedobject_init(struct checkedobject *subject, enum policyview_kind kind,
                        const struct store_object *object, const struct discovery *discovery,
                        const struct types_options *types, const struct labelselector *selector)
{
    struct err err = {0};
    *subject = (struct checkedobject){.discovery = discovery, .types = *types};
    if (object == NULL)
        return false;
    if (store_parse(object, &subject->json, &err) != 0 ||
        policyview_new_of(kind, subject->json, &subject->policy, &err) != 0 ||
        check_name(subject->policy, &err) != 0) {
        log_error(object->key, "the policy cannot be read: %s", err.msg);
        checkedobject_deinit(subject);
        return false;
    }
    subject->policy->left_out = store_left_out_text(object->left_out);
    if (discovery != NULL && !checkedobject_is_left_alone(subject->json, selector))
        subject->check = check_new(subject->policy, discovery, types);
    return true;
}

void checkedobject_deinit(struct checkedobject *subject)
{
    hints_end(subject->hints);
    check_free(subject->check);
    check_free(subject->next);
    policyview_free(subject->policy);
    json_object_put(subject->json);
}

const char **checkedobject_hints(const struct checkedobject *subject, const struct check_result *result)
{
    return hints_of_warnings(hints_found(subject->hints), subject->policy, result);
}

bool checkedobject_has_problem(const struct check_result *result, enum types_reason reason)
{
    for (size_t i = 0; i < result->n_problems; i++) {
        if (result->problems[i].reason == reason)
            return true;
    }
    return false;
}

static bool has_empty(const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (names[i][0] == '\0')
            return true;
    }
    return false;
}

/* Returns true if what any group serves may change the answer: a resource that was not found is looked for in
 * all of them, and to upstream an empty group means any, an empty version the prefix of one. */
static bool is_of_any_group(const struct policyview *policy, enum types_scope scope,
                            const struct check_result *result)
{
    if (result != NULL && checkedobject_has_problem(result, TYPES_RESOURCE_NOT_FOUND))
        return true;
    for (size_t i = 0; scope == TYPES_UPSTREAM && i < policy->match.n_rules; i++) {
        const struct matchrules_rule *rule = &policy->match.rules[i];
        if (has_empty(rule->groups, rule->n_groups) || has_empty(rule->versions, rule->n_versions))
            return true;
    }
    for (size_t i = 0; i < policy->n_webhooks; i++) {
        if (is_of_any_group(policy->webhooks[i], scope, NULL))
            return true;
    }
    return false;
}

void checkedobject_note(const struct checkedobject *subject, struct dependents *dependents, const char *key,
                        enum types_scope scope, const struct check_result *result)
{
    if (subject->check == NULL) {
        dependents_remove(dependents, key);
        return;
    }
    dependents_begin(dependents, key);
    for (size_t i = 0; i < check_path_count(subject->check); i++)
        dependents_add_path(dependents, check_paths(subject->check)[i]);
    dependents_add_groups(dependents, subject->policy, is_of_any_group(subject->policy, scope, result));
    dependents_end(dependents);
}
