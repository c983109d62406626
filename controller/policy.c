#include "controller/policy.h"

#include <string.h>

#include "client/jsonval.h"
#include "client/mem.h"

/* The lists of a policy's spec that hold one expression an entry, in the order of warnings;
 * validations hold two and go before them. */
static const struct list {
    enum typecheck_place place;
    const char *list, *member;
} lists[] = {
    {TYPECHECK_MATCH_CONDITION, "matchConditions", "expression"},
    {TYPECHECK_VARIABLE, "variables", "expression"},
    {TYPECHECK_AUDIT_ANNOTATION, "auditAnnotations", "valueExpression"},
};

enum { N_LISTS = sizeof lists / sizeof lists[0] };

/* An expression that is absent reads as the empty one, which is no CEL: the field is required. */
static void add_expression(struct policy *p, enum typecheck_place place, struct json_object *entry,
                           const char *list, size_t index, const char *member)
{
    struct json_object *value = jsonval_get(entry, member);
    const char *text = jsonval_text(value);
    const char *name = place == TYPECHECK_VARIABLE ? jsonval_string_or_empty(entry, "name") : "";
    p->expressions[p->n_expressions++] = (struct policy_expression){
        .place = place,
        .name = name,
        .field_ref = mem_printf("spec.%s[%zu].%s", list, index, member),
        .text = text == NULL ? "" : text,
        .len = text == NULL ? 0 : (size_t)json_object_get_string_len(value),
    };
}

static void read_expressions(struct policy *p, struct json_object *spec)
{
    struct json_object *validations = jsonval_array(spec, "validations");
    size_t most = 2 * jsonval_length(validations);
    for (size_t i = 0; i < N_LISTS; i++)
        most += jsonval_length(jsonval_array(spec, lists[i].list));
    p->expressions = mem_array(most, sizeof *p->expressions);

    for (size_t i = 0; i < jsonval_length(validations); i++) {
        struct json_object *entry = jsonval_at(validations, i);
        add_expression(p, TYPECHECK_VALIDATION, entry, "validations", i, "expression");
        if (jsonval_string_or_empty(entry, "messageExpression")[0] != '\0')
            add_expression(p, TYPECHECK_MESSAGE, entry, "validations", i, "messageExpression");
    }
    for (size_t i = 0; i < N_LISTS; i++) {
        struct json_object *array = jsonval_array(spec, lists[i].list);
        for (size_t j = 0; j < jsonval_length(array); j++)
            add_expression(p, lists[i].place, jsonval_at(array, j), lists[i].list, j, lists[i].member);
    }
}

/* The strings of a list; entries of another type are left out. */
static const char *const *read_strings(struct json_object *rule, const char *member, size_t *count)
{
    struct json_object *array = jsonval_array(rule, member);
    const char **strings = mem_array(jsonval_length(array), sizeof *strings);
    *count = 0;
    for (size_t i = 0; i < jsonval_length(array); i++) {
        const char *text = jsonval_text(jsonval_at(array, i));
        if (text != NULL)
            strings[(*count)++] = text;
    }
    return strings;
}

static void read_rules(struct policy *p, struct json_object *constraints)
{
    struct json_object *array = jsonval_array(constraints, "resourceRules");
    p->n_rules = jsonval_length(array);
    p->rules = mem_array(p->n_rules, sizeof *p->rules);
    for (size_t i = 0; i < p->n_rules; i++) {
        struct json_object *from = jsonval_at(array, i);
        struct policy_rule *rule = &p->rules[i];
        rule->groups = read_strings(from, "apiGroups", &rule->n_groups);
        rule->versions = read_strings(from, "apiVersions", &rule->n_versions);
        rule->resources = read_strings(from, "resources", &rule->n_resources);
        rule->operations = read_strings(from, "operations", &rule->n_operations);
        rule->scope = jsonval_string_or_empty(from, "scope");
    }
}

int policy_new(struct json_object *json, struct policy **out, struct err *err)
{
    struct json_object *metadata = jsonval_get(json, "metadata");
    struct json_object *spec = jsonval_get(json, "spec");
    const char *name = jsonval_string_or_empty(metadata, "name");
    *out = NULL;
    if (!json_object_is_type(json, json_type_object))
        return err_set(err, ERR_INVALID, "a policy must be an object");
    if (name[0] == '\0')
        return err_set(err, ERR_INVALID, "metadata.name is missing");

    struct policy *p = mem_zalloc(sizeof *p);
    p->json = json_object_get(json);
    p->name = name;
    p->uid = jsonval_string_or_empty(metadata, "uid");
    p->resource_version = jsonval_string_or_empty(metadata, "resourceVersion");
    p->generation = jsonval_int(metadata, "generation", 0);
    read_expressions(p, spec);
    read_rules(p, jsonval_get(spec, "matchConstraints"));

    struct json_object *param_kind = jsonval_get(spec, "paramKind");
    p->has_param_kind = json_object_is_type(param_kind, json_type_object);
    p->param_api_version = jsonval_string_or_empty(param_kind, "apiVersion");
    p->param_kind = jsonval_string_or_empty(param_kind, "kind");
    *out = p;
    return 0;
}

/* The view made these itself; they are const for its readers. */
static void free_const(const void *p)
{
    union {
        const void *shown;
        void *owned;
    } u = {.shown = p};
    mem_free(u.owned);
}

void policy_free(struct policy *policy)
{
    if (policy == NULL)
        return;
    for (size_t i = 0; i < policy->n_expressions; i++)
        free_const(policy->expressions[i].field_ref);
    for (size_t i = 0; i < policy->n_rules; i++) {
        free_const(policy->rules[i].groups);
        free_const(policy->rules[i].versions);
        free_const(policy->rules[i].resources);
        free_const(policy->rules[i].operations);
    }
    mem_free(policy->expressions);
    mem_free(policy->rules);
    json_object_put(policy->json);
    mem_free(policy);
}

const char *policy_annotation(const struct policy *policy, const char *key)
{
    struct json_object *metadata = jsonval_get(policy->json, "metadata");
    return jsonval_string(jsonval_get(metadata, "annotations"), key);
}
