#include "controller/apiserver/crdadvice/transitionadvice.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/crd/crdsite.h"
#include "controller/apiserver/crdadvice/adviceresource.h"

static bool has_rule(const struct adviceplace *place, const char *part)
{
    struct json_object *rules = jsonval_array(place->schema, CRDSITE_RULES);
    for (size_t i = 0; i < jsonval_length(rules); i++) {
        if (strstr(jsonval_string_or_empty(jsonval_at(rules, i), "rule"), part) != NULL)
            return true;
    }
    return false;
}

/* This is true when a rule above compares the whole, or asks for the field. */
static bool is_covered_above(const struct adviceplace *place)
{
    static const char self[] = "self", old[] = "oldSelf";
    cleanup_mem char *same = mem_printf("%s == %s", self, old), *turned = mem_printf("%s == %s", old, self);
    cleanup_mem char *asked = mem_printf("has(self.%s)", place->property);
    bool is_covered = has_rule(place->outer, asked);
    for (const struct adviceplace *at = place->outer; at != NULL && !is_covered; at = at->outer)
        is_covered = has_rule(at, same) || has_rule(at, turned);
    return is_covered;
}

/* A line holds the fields that lead to a place from an object around it. */
struct line {
    struct rule_field fields[ADVICEPLACE_DEPTH_MAX]; /* those from `first` on */
    size_t first;
    const struct adviceplace *from; /* the object; NULL: there is none farther out */
};

static struct line line_to(const struct adviceplace *place)
{
    return (struct line){.first = ADVICEPLACE_DEPTH_MAX, .from = place};
}

/* Begins the line one object farther out. Returns false if there is no such object, but a list, a map or
 * nothing. */
static bool widen(struct line *line)
{
    const struct adviceplace *inner = line->from;
    if (inner->outer == NULL || inner->property == NULL || line->first == 0)
        return false;
    const struct rule_step step = {str_of(inner->property), false};
    line->fields[--line->first] =
        (struct rule_field){step.field, adviceplace_is_optional(inner->outer, &step, 1)};
    line->from = inner->outer;
    return true;
}

/* This is true when a rule of an object around the field asks for it in the old object. */
static bool is_asked_before(const struct advicerule *rule)
{
    struct line line = line_to(rule->place);
    bool is_asked = false;
    while (!is_asked && widen(&line)) {
        size_t count;
        struct str *rules = adviceplace_rules(line.from, &count);
        is_asked = rule_reads_asks_before(rule->reads, rule->trial->env, rules, count,
                                          &line.fields[line.first], ADVICEPLACE_DEPTH_MAX - line.first);
        mem_free(rules);
    }
    return is_asked;
}

static size_t count_errors(const struct advicerule *rule, struct json_object *resource,
                           struct json_object *old)
{
    struct crd_run_result result;
    advicetrial_run(rule->trial, rule->trial->evaluation, resource, old, &result);
    const size_t count = result.error_count;
    crd_run_result_deinit(&result);
    return count;
}

/* This is true when some rule refuses the resource without the field, where it was there before. */
static bool keeps_the_field(const struct advicerule *rule, struct json_object *resource)
{
    struct json_object *without = NULL;
    if (json_object_deep_copy(resource, &without, NULL) != 0)
        return true;
    struct json_object *holder = adviceresource_enter(without, rule->place->outer);
    if (json_object_is_type(holder, json_type_object))
        jsonval_drop(holder, rule->place->property);
    const bool keeps = count_errors(rule, without, resource) > count_errors(rule, resource, resource);
    json_object_put(without);
    return keeps;
}

static bool is_said_once(const char *text)
{
    static const char *const phrases[] = {"once set",        "once it is set", "once it's set",
                                          "after being set", "set once",       "once it has been set"};
    size_t i = 0;
    while (i < sizeof phrases / sizeof *phrases && strcasestr(text, phrases[i]) == NULL)
        i++;
    return i < sizeof phrases / sizeof *phrases;
}

/* This is true of a field in a status that is not written when the resource is created. */
static bool is_in_status(const struct advicetrial *trial, const struct adviceplace *place)
{
    struct json_object *versions = jsonval_array(jsonval_get(trial->definition, "spec"), "versions");
    while (place->outer != NULL && place->outer->outer != NULL)
        place = place->outer;
    return place->property != NULL && strcmp(place->property, "status") == 0 &&
           jsonval_get(jsonval_get(jsonval_at(versions, trial->version), "subresources"), "status") != NULL;
}

/* This is true when the field is meant to be set at any time, but only once. */
static bool is_set_once(const struct advicerule *rule, struct json_object *json)
{
    return is_in_status(rule->trial, rule->place) || is_said_once(jsonval_string_or_empty(json, "message")) ||
           is_said_once(jsonval_string_or_empty(rule->place->schema, "description"));
}

/* It proposes a rule for the innermost object that is always there: who removes another one removes the field
 * with it. The caller frees the text. */
static char *transition_hint(const struct advicerule *rule, bool is_once)
{
    struct line line = line_to(rule->place);
    size_t first = ADVICEPLACE_DEPTH_MAX - 1; /* the outermost optional field */
    while (widen(&line))
        first = line.fields[line.first].is_optional ? line.first : first;
    const struct rule_field *outermost = &line.fields[first];
    const size_t count = ADVICEPLACE_DEPTH_MAX - first;
    cleanup_mem char *where = count == 1
                                  ? mem_strdup("it")
                                  : mem_printf("'%.*s', which is optional, too", STR_ARG(outermost->name));
    const struct str once = rule_reads_keep(rule->reads, outermost, count, true),
                     always = rule_reads_keep(rule->reads, outermost, count, false);
    if (once.len == 0 || always.len == 0)
        return mem_strdup("make the field required");
    return is_once ? mem_printf("add the rule \"%.*s\" to the object around %s", STR_ARG(once), where)
                   : mem_printf("add the rule \"%.*s\" to the object around %s; or, if the field may be set "
                                "later, the rule \"%.*s\"",
                                STR_ARG(always), where, STR_ARG(once));
}

static void add_transition(const struct advicerule *rule, struct json_object *resource, bool is_once)
{
    static const char later[] = "in the old or in the new object: it can be set later, and removed",
                      removed[] = "in the new object: it can be removed, and then set to another value";
    advicerule_add(
        rule,
        (struct advicelist_item){
            .id = FINDING_TRANSITION_UNSET,
            .message = mem_printf("'%s' is optional, and the rule is not evaluated where it is missing %s",
                                  rule->place->property, is_once ? removed : later),
            .resource = mem_strdup(adviceresource_text(resource).at),
            .hint = transition_hint(rule, is_once)},
        0);
}

void transitionadvice_find(const struct advicerule *rule, struct json_object *json)
{
    const struct adviceplace *place = rule->place;
    if (!rule->reads->is_immutable || place->outer == NULL || place->property == NULL ||
        jsonval_is_true(json, "optionalOldSelf"))
        return;
    const struct rule_step step = {str_of(place->property), false};
    if (!adviceplace_is_optional(place->outer, &step, 1) || is_covered_above(place) ||
        is_asked_before(rule) || !advicetrial_can_run(rule->trial))
        return;
    struct json_object *resource =
        adviceresource_new(rule->trial->definition, advicetrial_version(rule->trial)->name, place);
    (void)adviceresource_enter(resource, place);
    if (!keeps_the_field(rule, resource))
        add_transition(rule, resource, is_set_once(rule, json));
    json_object_put(resource);
}
