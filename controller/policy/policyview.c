#include "controller/policy/policyview.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"

/* The lists of a policy's spec that hold one expression an entry, in the order of warnings;
 * validations hold two and go before them. */
static const struct list {
    enum policy_place place;
    const char *list, *member;
} lists[] = {
    {POLICY_MATCH_CONDITION, "matchConditions", "expression"},
    {POLICY_VARIABLE, "variables", "expression"},
    {POLICY_AUDIT_ANNOTATION, "auditAnnotations", "valueExpression"},
};

enum { N_LISTS = sizeof lists / sizeof lists[0] };

/* An expression that is absent reads as the empty one, which is no CEL: the field is required.
 * Takes the reference. */
static void add_expression(struct policyview *p, enum policy_place place, struct json_object *entry,
                           const char *member, char *take_field_ref)
{
    struct json_object *value = jsonval_get(entry, member);
    const char *text = jsonval_text(value);
    const char *name = place == POLICY_VARIABLE ? jsonval_string_or_empty(entry, "name") : "";
    p->expressions = mem_grow(p->expressions, p->n_expressions, sizeof *p->expressions);
    p->expressions[p->n_expressions++] = (struct policyview_expression){
        .place = place,
        .name = name,
        .field_ref = take_field_ref,
        .text = text == NULL ? "" : text,
        .len = text == NULL ? 0 : (size_t)json_object_get_string_len(value),
    };
}

static void read_validations(struct policyview *p, struct json_object *spec)
{
    struct json_object *validations = jsonval_array(spec, "validations");
    for (size_t i = 0; i < jsonval_length(validations); i++) {
        struct json_object *entry = jsonval_at(validations, i);
        add_expression(p, POLICY_VALIDATION, entry, "expression",
                       mem_printf("spec.validations[%zu].expression", i));
        struct json_object *message = jsonval_get(entry, "messageExpression");
        if (jsonval_text(message) != NULL && json_object_get_string_len(message) > 0)
            add_expression(p, POLICY_MESSAGE, entry, "messageExpression",
                           mem_printf("spec.validations[%zu].messageExpression", i));
    }
}

/* A mutation has what its patchType names. */
static void read_mutations(struct policyview *p, struct json_object *spec)
{
    struct json_object *mutations = jsonval_array(spec, "mutations");
    for (size_t i = 0; i < jsonval_length(mutations); i++) {
        struct json_object *entry = jsonval_at(mutations, i);
        bool is_patch = strcmp(jsonval_string_or_empty(entry, "patchType"), "JSONPatch") == 0;
        const char *member = is_patch ? "jsonPatch" : "applyConfiguration";
        struct json_object *from = jsonval_get(entry, member);
        if (from != NULL)
            add_expression(p, is_patch ? POLICY_JSON_PATCH : POLICY_APPLY_CONFIGURATION, from, "expression",
                           mem_printf("spec.mutations[%zu].%s.expression", i, member));
    }
}

/* `at` is the field of what holds the list. */
static void read_list(struct policyview *p, struct json_object *holder, const struct list *list,
                      const char *at)
{
    struct json_object *array = jsonval_array(holder, list->list);
    for (size_t i = 0; i < jsonval_length(array); i++)
        add_expression(p, list->place, jsonval_at(array, i), list->member,
                       mem_printf("%s.%s[%zu].%s", at, list->list, i, list->member));
}

static void read_expressions(struct policyview *p, struct json_object *spec)
{
    if (p->kind == POLICYVIEW_MUTATING)
        read_mutations(p, spec);
    else
        read_validations(p, spec);
    for (size_t i = 0; i < N_LISTS; i++) {
        if (p->kind == POLICYVIEW_VALIDATING || lists[i].place != POLICY_AUDIT_ANNOTATION)
            read_list(p, spec, &lists[i], "spec");
    }
}

/* The strings of a list; null is the empty one, as Go reads it ("- " and no more), and entries of another
 * type are left out. */
static const char *const *read_strings(struct json_object *rule, const char *member, size_t *count)
{
    struct json_object *array = jsonval_array(rule, member);
    const char **strings = mem_array(jsonval_length(array), sizeof *strings);
    *count = 0;
    for (size_t i = 0; i < jsonval_length(array); i++) {
        struct json_object *element = jsonval_at(array, i);
        const char *text = element == NULL ? "" : jsonval_text(element);
        if (text != NULL)
            strings[(*count)++] = text;
    }
    return strings;
}

static void read_rule(struct json_object *from, struct policyview_rule *rule)
{
    rule->groups = read_strings(from, "apiGroups", &rule->n_groups);
    rule->versions = read_strings(from, "apiVersions", &rule->n_versions);
    rule->resources = read_strings(from, "resources", &rule->n_resources);
    rule->operations = read_strings(from, "operations", &rule->n_operations);
    rule->scope = jsonval_string_or_empty(from, "scope");
}

static void read_rules(struct policyview_match *match, struct json_object *array)
{
    match->n_rules = jsonval_length(array);
    struct policyview_rule *rules = mem_array(match->n_rules, sizeof *rules);
    for (size_t i = 0; i < match->n_rules; i++)
        read_rule(jsonval_at(array, i), &rules[i]);
    match->rules = rules;
}

static void read_excluded(struct policyview_match *match, struct json_object *array)
{
    struct policyview_rule *excluded = mem_array(jsonval_length(array), sizeof *excluded);
    for (size_t i = 0; i < jsonval_length(array); i++) {
        struct json_object *from = jsonval_at(array, i);
        if (jsonval_length(jsonval_array(from, "resourceNames")) == 0)
            read_rule(from, &excluded[match->n_excluded++]);
    }
    match->excluded = excluded;
}

static void read_match(struct policyview_match *match, struct json_object *constraints)
{
    read_rules(match, jsonval_array(constraints, "resourceRules"));
    read_excluded(match, jsonval_array(constraints, "excludeResourceRules"));
    match->is_exact = strcmp(jsonval_string_or_empty(constraints, "matchPolicy"), "Exact") == 0;
}

/* What every view has. Takes a reference. */
static struct policyview *new_view(enum policyview_kind kind, struct json_object *json)
{
    struct json_object *metadata = jsonval_get(json, "metadata");
    struct policyview *p = mem_zalloc(sizeof *p);
    p->json = json_object_get(json);
    p->kind = kind;
    p->name = jsonval_string_or_empty(metadata, "name");
    p->uid = jsonval_string_or_empty(metadata, "uid");
    p->resource_version = jsonval_string_or_empty(metadata, "resourceVersion");
    p->generation = jsonval_int(metadata, "generation", 0);
    p->param_api_version = p->param_kind = "";
    return p;
}

static void read_policy(struct policyview *p)
{
    struct json_object *spec = jsonval_get(p->json, "spec");
    struct json_object *param_kind = jsonval_get(spec, "paramKind");
    read_expressions(p, spec);
    read_match(&p->match, jsonval_get(spec, "matchConstraints"));
    p->has_param_kind = json_object_is_type(param_kind, json_type_object);
    p->param_api_version = jsonval_string_or_empty(param_kind, "apiVersion");
    p->param_kind = jsonval_string_or_empty(param_kind, "kind");
}

/* A webhook without match conditions asks for no types. */
static struct policyview *new_webhook(struct json_object *configuration, struct json_object *webhook,
                                      size_t i)
{
    struct policyview *p = new_view(POLICYVIEW_WEBHOOKS, configuration);
    cleanup_mem char *at = mem_printf("webhooks[%zu]", i);
    p->name = jsonval_string_or_empty(webhook, "name");
    read_list(p, webhook, &lists[0], at);
    if (p->n_expressions > 0)
        read_rules(&p->match, jsonval_array(webhook, "rules"));
    return p;
}

static void read_webhooks(struct policyview *p)
{
    struct json_object *array = jsonval_array(p->json, "webhooks");
    p->n_webhooks = jsonval_length(array);
    p->webhooks = mem_array(p->n_webhooks, sizeof(struct policyview *));
    size_t count = 0;
    for (size_t i = 0; i < p->n_webhooks; i++) {
        p->webhooks[i] = new_webhook(p->json, jsonval_at(array, i), i);
        count += p->webhooks[i]->n_expressions;
    }
    p->expressions = mem_array(count, sizeof *p->expressions);
    for (size_t i = 0; i < p->n_webhooks; i++) {
        const struct policyview *webhook = p->webhooks[i];
        for (size_t j = 0; j < webhook->n_expressions; j++)
            p->expressions[p->n_expressions++] = webhook->expressions[j];
    }
}

int policyview_new_of(enum policyview_kind kind, struct json_object *json, struct policyview **out,
                      struct err *err)
{
    *out = NULL;
    if (!json_object_is_type(json, json_type_object))
        return err_set(err, ERR_INVALID, "a policy must be an object");
    struct policyview *p = new_view(kind, json);
    if (kind == POLICYVIEW_WEBHOOKS)
        read_webhooks(p);
    else
        read_policy(p);
    *out = p;
    return 0;
}

int policyview_new(struct json_object *json, struct policyview **out, struct err *err)
{
    const char *kind = jsonval_string_or_empty(json, "kind");
    if (strcmp(kind, "MutatingAdmissionPolicy") == 0)
        return policyview_new_of(POLICYVIEW_MUTATING, json, out, err);
    if (strcmp(kind, "ValidatingWebhookConfiguration") == 0 ||
        strcmp(kind, "MutatingWebhookConfiguration") == 0)
        return policyview_new_of(POLICYVIEW_WEBHOOKS, json, out, err);
    return policyview_new_of(POLICYVIEW_VALIDATING, json, out, err);
}

bool policyview_is_mutating(const struct policyview *policy)
{
    const char *kind = jsonval_string_or_empty(policy->json, "kind");
    return policy->kind == POLICYVIEW_MUTATING ||
           (policy->kind == POLICYVIEW_WEBHOOKS && strcmp(kind, "ValidatingWebhookConfiguration") != 0);
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

static void free_rules(const struct policyview_rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free_const(rules[i].groups);
        free_const(rules[i].versions);
        free_const(rules[i].resources);
        free_const(rules[i].operations);
    }
    free_const(rules);
}

void policyview_free(struct policyview *policy)
{
    if (policy == NULL)
        return;
    for (size_t i = 0; i < policy->n_webhooks; i++)
        policyview_free(policy->webhooks[i]);
    for (size_t i = 0; i < policy->n_expressions && policy->n_webhooks == 0; i++)
        free_const(policy->expressions[i].field_ref);
    free_rules(policy->match.rules, policy->match.n_rules);
    free_rules(policy->match.excluded, policy->match.n_excluded);
    mem_free(policy->expressions);
    mem_free(policy->webhooks);
    json_object_put(policy->json);
    mem_free(policy);
}

static void add_length(struct buf *key, size_t length)
{
    buf_put_number(key, (int64_t)length);
    buf_putc(key, ':');
}

static void add_names(struct buf *key, const char *const *strings, size_t count)
{
    add_length(key, count);
    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(strings[i]);
        add_length(key, len);
        buf_append(key, strings[i], len);
    }
}

static void add_rule(struct buf *key, const struct policyview_rule *rule)
{
    add_names(key, rule->groups, rule->n_groups);
    add_names(key, rule->versions, rule->n_versions);
    add_names(key, rule->resources, rule->n_resources);
    add_names(key, rule->operations, rule->n_operations);
    add_names(key, &rule->scope, 1);
}

/* NULL where it is too long. */
static char *finish_key(struct buf *key)
{
    if (!key->is_full)
        return buf_take(key, NULL);
    buf_deinit(key);
    return NULL;
}

char *policyview_match_key(const struct policyview_match *match)
{
    struct buf key;
    buf_init(&key, POLICYVIEW_KEY_CAP_BYTES);
    add_length(&key, match->n_rules);
    add_length(&key, match->n_excluded);
    add_length(&key, match->is_exact);
    for (size_t i = 0; i < match->n_rules; i++)
        add_rule(&key, &match->rules[i]);
    for (size_t i = 0; i < match->n_excluded; i++)
        add_rule(&key, &match->excluded[i]);
    return finish_key(&key);
}

char *policyview_rule_key(const struct policyview_rule *rule)
{
    struct buf key;
    buf_init(&key, POLICYVIEW_KEY_CAP_BYTES);
    add_rule(&key, rule);
    return finish_key(&key);
}
