#include "controller/match/policyview.h"

#include <string.h>

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

/* A member of an entry, and its text, which is empty if the entry does not have the member. */
struct member {
    const char *key;
    struct str text;
};

static struct str text_of(struct json_object *value)
{
    const char *text = jsonval_text(value);
    return text == NULL ? STR("") : (struct str){text, (size_t)json_object_get_string_len(value)};
}

/* Reads all members in one walk over the entry, which costs less than a search for each member. */
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

/* Adds an expression, and takes its reference. An absent expression becomes the empty one, which does not
 * compile, because the field is required. */
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

/* Reads the member of each mutation that its patchType names. */
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

/* Makes a label of each requirement, for requests that are made up: In has its first value; the label of
 * NotIn has no value, and must be absent. */
static struct policy_selector list_labels(const struct labelselector *selector)
{
    const size_t count = labelselector_count(selector);
    struct policy_label *labels = mem_array(count, sizeof *labels);
    for (size_t i = 0; i < count; i++) {
        const struct labelselector_requirement q = labelselector_requirement(selector, i);
        const bool has_value = !q.is_negated && q.n_values > 0;
        labels[i] =
            (struct policy_label){str_of(q.key), has_value ? str_of(q.values[0]) : STR(""), q.is_negated};
    }
    return (struct policy_selector){labels, count};
}

/* If no server stores such a selector, no labels are wanted. */
static void read_match(struct policyview *p, struct json_object *json, const char *rules,
                       const char *excluded)
{
    struct err ignored = {0};
    if (matchrules_read(json, rules, excluded, &p->match, &ignored) != 0)
        return;
    p->policy.objects = list_labels(p->match.objects);
    p->policy.namespaces = list_labels(p->match.namespaces);
}

/* A webhook configuration whose kind is unknown may mutate. */
static bool is_mutating(enum policyview_kind kind, struct json_object *json)
{
    return kind == POLICYVIEW_MUTATING ||
           (kind == POLICYVIEW_WEBHOOKS &&
            objectkind_named(jsonval_string_or_empty(json, "kind")) != OBJECTKIND_VALIDATING_WEBHOOKS);
}

/* Makes the common part of every view. Takes a reference. */
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
    read_match(p, jsonval_get(spec, "matchConstraints"), "resourceRules", "excludeResourceRules");
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
        read_match(p, webhook, "rules", NULL);
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

bool policyview_kind_of(enum objectkind kind, enum policyview_kind *out)
{
    enum { POLICYVIEW_NONE = -1 };
    static const int views[OBJECTKIND_COUNT] = {
#define WORDS(id, one, many)
#define KIND(id, group, versions, name, words, view, resource, listed) [OBJECTKIND_##id] = POLICYVIEW_##view,
#include "controller/match/kinds.def"
    };
    if (kind >= OBJECTKIND_MISNAMED || views[kind] == POLICYVIEW_NONE)
        return false;
    *out = (enum policyview_kind)views[kind];
    return true;
}

int policyview_new(struct json_object *json, struct policyview **out, struct err *err)
{
    const char *name = jsonval_string_or_empty(json, "kind");
    enum policyview_kind kind = POLICYVIEW_VALIDATING;
    *out = NULL;
    if (*name != '\0' && !policyview_kind_of(objectkind_named(name), &kind))
        return err_set(err, ERR_INVALID, "the kind %s is no policy", name);
    return policyview_new_of(kind, json, out, err);
}

void policyview_free(struct policyview *policy)
{
    if (policy == NULL)
        return;
    for (size_t i = 0; i < policy->n_webhooks; i++)
        policyview_free(policy->webhooks[i]);
    for (size_t i = 0; i < policy->policy.count && policy->n_webhooks == 0; i++)
        mem_free_const(policy->policy.expressions[i].field_ref.at);
    matchrules_deinit(&policy->match);
    mem_free_const(policy->policy.expressions);
    mem_free_const(policy->policy.objects.labels);
    mem_free_const(policy->policy.namespaces.labels);
    mem_free(policy->webhooks);
    json_object_put(policy->json);
    mem_free(policy);
}
