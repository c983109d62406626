#include "controller/match/matchrules.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"

/* ---- reading ---- */

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

static void read_rule(struct json_object *from, struct matchrules_rule *rule)
{
    rule->groups = read_strings(from, "apiGroups", &rule->n_groups);
    rule->versions = read_strings(from, "apiVersions", &rule->n_versions);
    rule->resources = read_strings(from, "resources", &rule->n_resources);
    rule->operations = read_strings(from, "operations", &rule->n_operations);
    rule->names = read_strings(from, "resourceNames", &rule->n_names);
    rule->scope = jsonval_string_or_empty(from, "scope");
}

static const struct matchrules_rule *read_rules(struct json_object *json, const char *member, size_t *count)
{
    struct json_object *array = member == NULL ? NULL : jsonval_array(json, member);
    *count = jsonval_length(array);
    struct matchrules_rule *rules = mem_array(*count, sizeof *rules);
    for (size_t i = 0; i < *count; i++)
        read_rule(jsonval_at(array, i), &rules[i]);
    return rules;
}

int matchrules_read(struct json_object *json, const char *rules, const char *excluded, struct matchrules *out,
                    struct err *err)
{
    struct err ignored = {0};
    *out = (struct matchrules){.is_exact = jsonval_is(json, "matchPolicy", "Exact")};
    out->rules = read_rules(json, rules, &out->n_rules);
    out->excluded = read_rules(json, excluded, &out->n_excluded);
    const int result = labelselector_from_json(jsonval_get(json, "namespaceSelector"), &out->namespaces, err);
    return labelselector_from_json(jsonval_get(json, "objectSelector"), &out->objects,
                                   result == 0 ? err : &ignored) == 0
               ? result
               : -1;
}

static void free_rules(const struct matchrules_rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mem_free_const(rules[i].groups);
        mem_free_const(rules[i].versions);
        mem_free_const(rules[i].resources);
        mem_free_const(rules[i].operations);
        mem_free_const(rules[i].names);
    }
    mem_free_const(rules);
}

void matchrules_deinit(struct matchrules *match)
{
    free_rules(match->rules, match->n_rules);
    free_rules(match->excluded, match->n_excluded);
    labelselector_free(match->namespaces);
    labelselector_free(match->objects);
    *match = (struct matchrules){.rules = NULL};
}

/* ---- the cost of asking ---- */

static uint64_t steps_of(const struct matchrules_rule *rules, size_t count)
{
    uint64_t steps = count;
    for (size_t i = 0; i < count; i++)
        steps += rules[i].n_groups + rules[i].n_versions + rules[i].n_resources + rules[i].n_operations +
                 rules[i].n_names;
    return steps;
}

/* The selector of objects is counted twice: it is asked about the object and about the old object. */
uint64_t matchrules_steps(const struct matchrules *match)
{
    const uint64_t of_namespaces = match->namespaces == NULL ? 0 : labelselector_steps(match->namespaces);
    const uint64_t of_objects = match->objects == NULL ? 0 : labelselector_steps(match->objects);
    return 1 + steps_of(match->rules, match->n_rules) + steps_of(match->excluded, match->n_excluded) +
           of_namespaces + 2 * of_objects;
}

/* ---- keys ---- */

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

static void add_rule(struct buf *key, const struct matchrules_rule *rule)
{
    add_names(key, rule->groups, rule->n_groups);
    add_names(key, rule->versions, rule->n_versions);
    add_names(key, rule->resources, rule->n_resources);
    add_names(key, rule->operations, rule->n_operations);
    add_names(key, &rule->scope, 1);
}

/* A rule with resourceNames excludes only objects of these names, so no type as a whole: the key says so. */
static void add_excluded(struct buf *key, const struct matchrules_rule *rule)
{
    add_rule(key, rule);
    add_length(key, rule->n_names != 0);
}

/* Takes the text of the key, which the caller frees; NULL if it is too long. */
static char *finish_key(struct buf *key)
{
    if (!key->is_full)
        return buf_take(key, NULL);
    buf_deinit(key);
    return NULL;
}

char *matchrules_key(const struct matchrules *match)
{
    struct buf key;
    buf_init(&key, MATCHRULES_KEY_CAP_BYTES);
    add_length(&key, match->n_rules);
    add_length(&key, match->n_excluded);
    add_length(&key, match->is_exact);
    for (size_t i = 0; i < match->n_rules; i++)
        add_rule(&key, &match->rules[i]);
    for (size_t i = 0; i < match->n_excluded; i++)
        add_excluded(&key, &match->excluded[i]);
    return finish_key(&key);
}

char *matchrules_rule_key(const struct matchrules_rule *rule)
{
    struct buf key;
    buf_init(&key, MATCHRULES_KEY_CAP_BYTES);
    add_rule(&key, rule);
    return finish_key(&key);
}
