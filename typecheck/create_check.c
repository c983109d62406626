#include "typecheck/create_check.h"

#include <string.h>

#include "typecheck/check/checker.h"
#include "typecheck/check/planner.h"
#include "typecheck/syntax/issue.h"
#include "typecheck/syntax/parser.h"
#include "typecheck/syntax/source.h"
#include "typecheck/types/admission_types.h"
#include "typecheck/types/mutation_types.h"
#include "typecheck/types/policy_variables.h"
#include "typecheck/types/type.h"

/* What a place's result may be; the first one NULL: anything. */
static const struct result {
    const struct type *types[2];
    const char *message;
} results[] = {
    [POLICY_VALIDATION] = {{&type_bool}, "must evaluate to bool but got "},
    [POLICY_MESSAGE] = {{&type_string}, "must evaluate to string but got "},
    [POLICY_MATCH_CONDITION] = {{&type_bool}, "must evaluate to bool but got "},
    [POLICY_VARIABLE] = {{NULL}, ""},
    [POLICY_AUDIT_ANNOTATION] = {{&type_string, &type_null},
                                 "must evaluate to one of [string null_type] but got "},
    /* ORDER COMPILE_MUTATIONS: these are object types, which is_allowed has */
    [POLICY_APPLY_CONFIGURATION] = {{NULL}, "must evaluate to Object but got "},
    [POLICY_JSON_PATCH] = {{NULL}, "must evaluate to list(JSONPatch) but got "},
};

/* ORDER COMPILE_VARIABLES: those first that every place has; each place's are a run of them. */
enum {
    OF_VARIABLES,
    FIXED_FIRST,
    REQUEST = FIXED_FIRST + 2,
    FIXED_END = FIXED_FIRST + 4,
    MAX = FIXED_END + 3
};

struct work {
    struct arena *arena;
    const struct env *env;
    const struct create_check_policy *policy;
    struct types *types;
    struct policy_variables *variables;
    struct variable declared[MAX];
};

/* compile.go, createEnvForOpts; composition.go, NewCompositedCompiler */
static void declare_all(struct work *w)
{
    struct types *ts = w->types;
    w->declared[OF_VARIABLES] = (struct variable){
        .name = STR("variables"), .type = policy_variables_type(ts, w->policy->count, &w->variables)};
    w->declared[FIXED_FIRST] = (struct variable){.name = STR("object"), .type = &type_dyn};
    w->declared[FIXED_FIRST + 1] = (struct variable){.name = STR("oldObject"), .type = &type_dyn};
    w->declared[REQUEST] =
        (struct variable){.name = STR("request"), .type = admission_types_request_type(ts)};
    w->declared[REQUEST + 1] =
        (struct variable){.name = STR("namespaceObject"), .type = admission_types_namespace_type(ts)};
}

/* A place's own come behind the fixed ones. Returns the end of its run. */
static size_t declare_optional(struct work *w, enum policy_place place)
{
    size_t end = FIXED_END;
    if (w->policy->has_params)
        w->declared[end++] = (struct variable){.name = STR("params"), .type = &type_dyn};
    if (place != POLICY_MESSAGE) {
        const struct type *authorizer =
            types_object(w->types, STR("kubernetes.authorization.Authorizer"), NULL, NULL);
        const struct type *check =
            types_object(w->types, STR("kubernetes.authorization.ResourceCheck"), NULL, NULL);
        w->declared[end++] = (struct variable){.name = STR("authorizer"), .type = authorizer};
        w->declared[end++] = (struct variable){.name = STR("authorizer.requestResource"), .type = check};
    }
    return end;
}

/* ORDER COMPILE_MUTATIONS */
static bool is_allowed(struct types *ts, enum policy_place place, const struct type *type)
{
    const struct result *r = &results[place];
    if (place == POLICY_APPLY_CONFIGURATION)
        return type_is_exact(type, mutation_types_object(ts));
    if (place == POLICY_JSON_PATCH)
        return type_is_exact(type, mutation_types_patches(ts));
    return r->types[0] == NULL || type_is_exact(type, r->types[0]) ||
           (r->types[1] != NULL && type_is_exact(type, r->types[1]));
}

static struct create_check_problem problem_of_type(struct work *w, enum policy_place place,
                                                   const struct type *type)
{
    struct text text = {.arena = w->arena};
    text_add(&text, str_of(results[place].message));
    type_print_long(&text, type);
    return (struct create_check_problem){.text = text_str(&text)};
}

static struct create_check_problem problem_of(struct work *w, const char *what, struct str detail,
                                              bool is_internal)
{
    struct text text = {.arena = w->arena};
    text_add(&text, str_of(what));
    text_add(&text, detail);
    return (struct create_check_problem){text_str(&text), is_internal};
}

/* The type of an expression; NULL with its problem. A match condition cannot use the variables. */
static const struct type *compile(struct work *w, const struct policy_expression *e,
                                  struct create_check_problem *problem)
{
    struct source source;
    struct issues issues;
    struct ast ast;
    struct checked checked;
    struct str message;
    bool has_variables = w->policy->has_variables && e->place != POLICY_MATCH_CONDITION;
    size_t first = has_variables ? OF_VARIABLES : FIXED_FIRST, end = declare_optional(w, e->place);
    const struct env *env = policy_is_mutation(e->place) ? env_mutating(w->env) : w->env;
    source_init(&source, w->arena, e->text);
    issues_init(&issues, w->arena);
    if (!parse(w->arena, &source, env_dialect(env), &issues, &ast) ||
        !check(w->types, env, &ast, w->declared + first, end - first, &issues, &checked))
        *problem = problem_of(w, "compilation failed: ", issues_render(&issues, &source), false);
    else if (!is_allowed(w->types, e->place, checked.result))
        *problem = problem_of_type(w, e->place, checked.result);
    else if (!planner_plan(w->arena, env_celgo(env), &ast, &message))
        *problem = problem_of(w, "program instantiation failed: ", message, true);
    else
        return checked.result;
    return NULL;
}

void create_check_policy(const struct env *env, const struct create_check_policy *policy,
                         struct create_check_result *result)
{
    struct work w = {.arena = &result->arena, .env = env, .policy = policy};
    memset(result, 0, sizeof *result);
    arena_init(&result->arena, typecheck_default_caps.bytes);
    result->arena.max_steps = typecheck_default_caps.steps;
    if (setjmp(result->arena.escape) != 0) {
        result->is_exhausted = true;
        return;
    }
    result->problems = ARENA_ARRAY(&result->arena, policy->count, struct create_check_problem);
    w.types = types_new(w.arena, env_types(env));
    declare_all(&w);
    for (size_t i = 0; i < policy->count; i++) {
        const struct policy_expression *e = &policy->expressions[i];
        const struct type *type = compile(&w, e, &result->problems[i]);
        if (e->place == POLICY_VARIABLE)
            policy_variables_declare(w.variables, w.types, e->name);
        if (e->place == POLICY_VARIABLE && type != NULL)
            policy_variables_set_type(w.variables, w.types, type);
    }
}

void create_check_result_deinit(struct create_check_result *result)
{
    arena_deinit(&result->arena);
}
