#include "controller/policy/policyview.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"

/* The lists of a policy's spec that hold one expression an entry, in the order of warnings;
 * validations hold two and go before them. */
static const struct list {
    enum policy_place place;
    const char *list, *name, *member;
} lists[] = {
    {POLICY_MATCH_CONDITION, "matchConditions", "name", "expression"},
    {POLICY_VARIABLE, "variables", "name", "expression"},
    {POLICY_AUDIT_ANNOTATION, "auditAnnotations", "key", "valueExpression"},
};

enum { N_LISTS = sizeof lists / sizeof lists[0] };

/* The expressions that were read. */
struct reading {
    struct policy_expression *list;
    size_t count;
};

/* A member of an entry, with its text; empty: it has none. */
struct member {
    const char *key;
    struct str text;
};

static struct str text_of(struct json_object *value)
{
    const char *text = jsonval_text(value);
    return text == NULL ? STR("") : (struct str){text, (size_t)json_object_get_string_len(value)};
}

/* One walk over an entry costs less than a search for each member. */
static void read_members(struct json_object *entry, struct member *members, size_t count)
{
    for (size_t i = 0; i < count; i++)
        members[i].text = STR("");
    jsonval_each(entry, key, value)
    {
        size_t i = 0;
        while (i < count && strcmp(key, members[i].key) != 0)
            i++;
        if (i < count)
            members[i].text = text_of(value);
    }
}

/* An expression that is absent reads as the empty one, which is no CEL: the field is required.
 * Takes the reference. */
static struct policy_expression *add_expression(struct reading *r, enum policy_place place, struct str text,
                                                char *take_field_ref)
{
    r->list = mem_grow(r->list, r->count, sizeof *r->list);
    struct policy_expression *added = &r->list[r->count++];
    *added = (struct policy_expression){.place = place,
                                        .name = STR(""),
                                        .field_ref = str_of(take_field_ref),
                                        .text = text,
                                        .message = STR(""),
                                        .reason = STR("")};
    return added;
}

static void read_validations(struct reading *r, struct json_object *spec)
{
    enum { EXPRESSION, MESSAGE, REASON, MESSAGE_EXPRESSION, MEMBERS };
    struct member m[MEMBERS] = {[EXPRESSION] = {.key = "expression"},
                                [MESSAGE] = {.key = "message"},
                                [REASON] = {.key = "reason"},
                                [MESSAGE_EXPRESSION] = {.key = "messageExpression"}};
    struct json_object *validations = jsonval_array(spec, "validations");
    const size_t length = jsonval_length(validations);
    for (size_t i = 0; i < length; i++) {
        read_members(jsonval_at(validations, i), m, MEMBERS);
        struct policy_expression *added = add_expression(r, POLICY_VALIDATION, m[EXPRESSION].text,
                                                         mem_printf("spec.validations[%zu].expression", i));
        added->message = m[MESSAGE].text;
        added->reason = m[REASON].text;
        if (m[MESSAGE_EXPRESSION].text.len > 0)
            add_expression(r, POLICY_MESSAGE, m[MESSAGE_EXPRESSION].text,
                           mem_printf("spec.validations[%zu].messageExpression", i));
    }
}

/* A mutation has what its patchType names. */
static void read_mutations(struct reading *r, struct json_object *spec)
{
    struct json_object *mutations = jsonval_array(spec, "mutations");
    for (size_t i = 0; i < jsonval_length(mutations); i++) {
        struct json_object *entry = jsonval_at(mutations, i);
        bool is_patch = strcmp(jsonval_string_or_empty(entry, "patchType"), "JSONPatch") == 0;
        const char *member = is_patch ? "jsonPatch" : "applyConfiguration";
        struct json_object *from = jsonval_get(entry, member);
        if (from != NULL)
            add_expression(r, is_patch ? POLICY_JSON_PATCH : POLICY_APPLY_CONFIGURATION,
                           text_of(jsonval_get(from, "expression")),
                           mem_printf("spec.mutations[%zu].%s.expression", i, member));
    }
}

/* `at` is the field of what holds the list. */
static void read_list(struct reading *r, struct json_object *holder, const struct list *list, const char *at)
{
    struct json_object *array = jsonval_array(holder, list->list);
    struct member m[] = {{.key = list->name}, {.key = list->member}};
    const size_t length = jsonval_length(array);
    for (size_t i = 0; i < length; i++) {
        read_members(jsonval_at(array, i), m, 2);
        add_expression(r, list->place, m[1].text,
                       mem_printf("%s.%s[%zu].%s", at, list->list, i, list->member))
            ->name = m[0].text;
    }
}

static void read_expressions(struct policyview *p, struct json_object *spec)
{
    struct reading r = {NULL, 0};
    if (p->kind == POLICYVIEW_MUTATING)
        read_mutations(&r, spec);
    else
        read_validations(&r, spec);
    for (size_t i = 0; i < N_LISTS; i++) {
        if (p->kind == POLICYVIEW_VALIDATING || lists[i].place != POLICY_AUDIT_ANNOTATION)
            read_list(&r, spec, &lists[i], "spec");
    }
    p->policy.expressions = r.list;
    p->policy.count = r.count;
}

/* The strings of a list; null is the empty one, as Go reads it ("- " and no more), and entries of another
 * type are left out. */
static const char *const *read_strings(struct json_object *rule, const char *member, size_t *count)
{
    struct json_object *array = jsonval_array(rule, member);
    const size_t length = jsonval_length(array);
    const char **strings = mem_array(length, sizeof *strings);
    *count = 0;
    for (size_t i = 0; i < length; i++) {
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

/* A webhook configuration whose kind is unknown may mutate. */
static bool is_mutating(enum policyview_kind kind, struct json_object *json)
{
    return kind == POLICYVIEW_MUTATING ||
           (kind == POLICYVIEW_WEBHOOKS && !jsonval_is(json, "kind", "ValidatingWebhookConfiguration"));
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
    p->policy.lacks_variables = kind == POLICYVIEW_WEBHOOKS;
    p->policy.is_mutating = is_mutating(kind, json);
    return p;
}

static void read_policy(struct policyview *p)
{
    struct json_object *spec = jsonval_get(p->json, "spec");
    struct json_object *param_kind = jsonval_get(spec, "paramKind");
    read_expressions(p, spec);
    read_match(&p->match, jsonval_get(spec, "matchConstraints"));
    p->policy.has_params = json_object_is_type(param_kind, json_type_object);
    p->policy.is_reinvoked =
        p->kind == POLICYVIEW_MUTATING && jsonval_is(spec, "reinvocationPolicy", "IfNeeded");
    p->policy.ignores_failures = jsonval_is(spec, "failurePolicy", "Ignore");
    p->param_api_version = jsonval_string_or_empty(param_kind, "apiVersion");
    p->param_kind = jsonval_string_or_empty(param_kind, "kind");
}

/* A webhook without match conditions asks for no types. */
static struct policyview *new_webhook(struct json_object *configuration, struct json_object *webhook,
                                      size_t i)
{
    struct policyview *p = new_view(POLICYVIEW_WEBHOOKS, configuration);
    struct reading r = {NULL, 0};
    cleanup_mem char *at = mem_printf("webhooks[%zu]", i);
    p->name = jsonval_string_or_empty(webhook, "name");
    read_list(&r, webhook, &lists[0], at);
    p->policy.expressions = r.list;
    p->policy.count = r.count;
    p->policy.ignores_failures = jsonval_is(webhook, "failurePolicy", "Ignore");
    if (r.count > 0)
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
        count += p->webhooks[i]->policy.count;
    }
    struct policy_expression *all = mem_array(count, sizeof *all);
    for (size_t i = 0; i < p->n_webhooks; i++) {
        const struct policy *webhook = &p->webhooks[i]->policy;
        for (size_t j = 0; j < webhook->count; j++)
            all[p->policy.count++] = webhook->expressions[j];
    }
    p->policy.expressions = all;
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
    for (size_t i = 0; i < policy->policy.count && policy->n_webhooks == 0; i++)
        free_const(policy->policy.expressions[i].field_ref.at);
    free_rules(policy->match.rules, policy->match.n_rules);
    free_rules(policy->match.excluded, policy->match.n_excluded);
    free_const(policy->policy.expressions);
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
