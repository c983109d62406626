#include "controller/apiserver/validation/template.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/gotext.h"
#include "controller/match/objectkind.h"
#include "typecheck/compile.h"

static const char engine[] = "K8sNativeValidation", reserved[] = "gatekeeper_internal_";

/* The index of the engine's code in the only target, *code its source; -1: there is none. */
static int find_source(struct json_object *object, struct json_object **source)
{
    struct json_object *targets = jsonval_array(jsonval_get(object, "spec"), "targets");
    struct json_object *code = jsonval_array(jsonval_at(targets, 0), "code");
    for (size_t i = 0; jsonval_length(targets) == 1 && i < jsonval_length(code); i++) {
        *source = jsonval_get(jsonval_at(code, i), "source");
        if (jsonval_is(jsonval_at(code, i), "engine", engine))
            return (int)i;
    }
    return -1;
}

bool template_is_checked(struct json_object *object)
{
    struct json_object *source;
    return objectkind_of(object) == OBJECTKIND_CONSTRAINT_TEMPLATE && find_source(object, &source) >= 0;
}

/* ---- expressions ---- */

struct work {
    struct json_object *source;
    const char *at; /* "spec.targets[0].code[0].source" */
    struct policy_expression *list;
    char **fields; /* by expression; NULL: Gatekeeper's own */
    size_t count;
    struct fielderrors *out;
};

static void add(struct work *w, enum policy_place place, struct str name, struct str text, char *field)
{
    w->list = mem_realloc(w->list, w->count + 1, sizeof *w->list);
    w->fields = mem_realloc(w->fields, w->count + 1, sizeof *w->fields);
    w->fields[w->count] = field;
    w->list[w->count++] = (struct policy_expression){.place = place, .name = name, .text = text};
}

/* Adds the expressions of a list's members. is_optional: an empty one is none. */
static void add_list(struct work *w, const char *key, const char *member, enum policy_place place,
                     bool is_optional)
{
    struct json_object *list = jsonval_array(w->source, key);
    for (size_t i = 0; i < jsonval_length(list); i++) {
        struct json_object *one = jsonval_at(list, i), *value = jsonval_get(one, member);
        const struct str text = gotext_member(one, member);
        char *field = mem_printf("%s.%s[%zu].%s", w->at, key, i, member);
        if (value != NULL && !json_object_is_type(value, json_type_string))
            fielderrors_add(w->out,
                            mem_strdup("Gatekeeper refuses the template: the expression is no string"), "%s",
                            field);
        else if (text.len > 0 || !is_optional) {
            add(w, place, gotext_member(one, "name"), text, field);
            continue;
        }
        mem_free(field);
    }
}

/* Adds the variables that Gatekeeper declares itself, of no known type. */
static void add_own(struct work *w)
{
    add(w, POLICY_VARIABLE, STR("anyObject"), STR("object"), NULL);
    add(w, POLICY_VARIABLE, STR("params"), STR("object"), NULL);
}

static void compile(struct work *w, const struct env *env)
{
    const struct policy policy = {.expressions = w->list, .count = w->count, .is_template = true};
    struct create_check_result found;
    create_check_policy(env, &policy, &found);
    w->out->is_limited = w->out->is_limited || found.is_exhausted;
    for (size_t i = 0; found.problems != NULL && i < w->count; i++) {
        const struct compile_problem *problem = &found.problems[i];
        if (problem->text.len == 0 || w->fields[i] == NULL)
            continue;
        fielderrors_add(w->out, mem_strndup(problem->text.at, problem->text.len), "%s", w->fields[i]);
        fielderrors_issues(w->out, problem);
    }
    create_check_result_deinit(&found);
}

/* ---- parts that Gatekeeper refuses, or does not read ---- */

static void check_names(struct work *w, const char *key)
{
    struct json_object *list = jsonval_array(w->source, key);
    const bool is_variable = strcmp(key, "variables") == 0;
    for (size_t i = 0; i < jsonval_length(list); i++) {
        const char *name = jsonval_string_or_empty(jsonval_at(list, i), "name");
        const bool is_own = is_variable && (strcmp(name, "params") == 0 || strcmp(name, "anyObject") == 0);
        if (is_own || strncmp(name, reserved, sizeof reserved - 1) == 0)
            fielderrors_add(w->out,
                            mem_printf("Gatekeeper refuses the template: %s is a reserved name", name),
                            "%s.%s[%zu].name", w->at, key, i);
    }
}

static void check_source(struct work *w)
{
    static const char *const policies[] = {"Fail", "Ignore", NULL};
    const char *policy = jsonval_string(w->source, "failurePolicy");
    check_names(w, "variables");
    check_names(w, "matchCondition");
    if (policy != NULL && !fielderrors_is_choice(policy, policies))
        fielderrors_add(w->out,
                        mem_printf("Gatekeeper refuses the template: %s is not Fail or Ignore", policy),
                        "%s.failurePolicy", w->at);
    if (jsonval_get(w->source, "matchConditions") != NULL)
        fielderrors_add(w->out,
                        mem_strdup("Gatekeeper does not read matchConditions: the field is matchCondition"),
                        "%s.matchConditions", w->at);
}

void template_check(struct json_object *object, const struct env *env, struct fielderrors *faults)
{
    struct work w = {.out = faults};
    const int index = find_source(object, &w.source);
    cleanup_mem char *at = mem_printf("spec.targets[0].code[%d].source", index);
    if (index < 0)
        return;
    w.at = at;
    check_source(&w);
    add_own(&w);
    add_list(&w, "variables", "expression", POLICY_VARIABLE, false);
    add_list(&w, "matchCondition", "expression", POLICY_MATCH_CONDITION, false);
    add_list(&w, "validations", "expression", POLICY_VALIDATION, false);
    add_list(&w, "validations", "messageExpression", POLICY_MESSAGE, true);
    compile(&w, env);
    for (size_t i = 0; i < w.count; i++)
        mem_free(w.fields[i]);
    mem_free(w.fields);
    mem_free(w.list);
}
