#include "typecheck/create_check.h"

#include <string.h>

#include "typecheck/check/expression.h"
#include "typecheck/root_variables.h"
#include "typecheck/types/mutation_types.h"
#include "typecheck/types/policy_variables.h"
#include "typecheck/types/type.h"

struct work {
    struct arena *arena;
    const struct env *env;
    const struct create_check_policy *policy;
    struct types *types;
    struct policy_variables *variables;
    struct root_variables roots;
};

/* What an expression in that place may evaluate to: a list that NULL ends; empty: anything. */
static void list_results(struct types *ts, enum policy_place place, const struct type *wanted[3])
{
    switch (place) {
    case POLICY_VALIDATION:
    case POLICY_MATCH_CONDITION:
        wanted[0] = &type_bool;
        break;
    case POLICY_MESSAGE:
        wanted[0] = &type_string;
        break;
    case POLICY_VARIABLE:
        break;
    case POLICY_AUDIT_ANNOTATION:
        wanted[0] = &type_string;
        wanted[1] = &type_null;
        break;
    case POLICY_APPLY_CONFIGURATION:
        wanted[0] = mutation_types_object(ts);
        break;
    case POLICY_JSON_PATCH:
        wanted[0] = mutation_types_patches(ts);
        break;
    }
}

/* The type of an expression; NULL with its problem. */
static const struct type *compile(struct work *w, const struct policy_expression *e,
                                  struct create_check_problem *problem)
{
    static const struct str RESULTS[] = {
        [POLICY_VALIDATION] = STR_INIT("must evaluate to bool but got "),
        [POLICY_MESSAGE] = STR_INIT("must evaluate to string but got "),
        [POLICY_MATCH_CONDITION] = STR_INIT("must evaluate to bool but got "),
        [POLICY_VARIABLE] = STR_INIT(""),
        [POLICY_AUDIT_ANNOTATION] = STR_INIT("must evaluate to one of [string null_type] but got "),
        [POLICY_APPLY_CONFIGURATION] = STR_INIT("must evaluate to Object but got "),
        [POLICY_JSON_PATCH] = STR_INIT("must evaluate to list(JSONPatch) but got "),
    };
    struct variable variables[ROOT_VARIABLES];
    const struct expression_scope scope = {
        .types = w->types,
        .env = policy_is_mutation(e->place) ? env_mutating(w->env) : w->env,
        .variables = variables,
        .variable_count = root_variables_of(&w->roots, e->place, variables),
    };
    const struct type *wanted[3] = {NULL};
    struct expression x;
    struct checked checked;
    struct str detail;
    list_results(w->types, e->place, wanted);
    enum expression_failure failure =
        expression_compile(&x, w->arena, &scope, e->text, wanted, &checked, &detail);
    if (failure == EXPRESSION_COMPILES)
        return checked.result;
    const struct str words[] = {
        [EXPRESSION_HAS_ISSUES] = STR("compilation failed: "),
        [EXPRESSION_HAS_WRONG_TYPE] = RESULTS[e->place],
        [EXPRESSION_HAS_NO_PROGRAM] = STR("program instantiation failed: "),
    };
    *problem = (struct create_check_problem){str_join(w->arena, STR_PARTS(words[failure], detail)),
                                             failure == EXPRESSION_HAS_NO_PROGRAM};
    return NULL;
}

void create_check_policy(const struct env *env, const struct create_check_policy *policy,
                         struct create_check_result *result)
{
    create_check_policy_within(env, policy, typecheck_default_caps.steps, result);
}

void create_check_policy_within(const struct env *env, const struct create_check_policy *policy,
                                uint64_t max_steps, struct create_check_result *result)
{
    struct work w = {.arena = &result->arena, .env = env, .policy = policy};
    memset(result, 0, sizeof *result);
    arena_init(&result->arena, typecheck_default_caps.bytes);
    result->arena.max_steps = max_steps;
    if (setjmp(result->arena.escape) != 0) {
        result->is_exhausted = true;
        return;
    }
    result->problems = ARENA_ARRAY(&result->arena, policy->count, struct create_check_problem);
    w.types = types_new(w.arena, env_types(env));
    const struct type *variables = policy_variables_type(w.types, policy->count, &w.variables);
    root_variables_init(&w.roots, ROOT_VARIABLES_AT_CREATE, w.types, &type_dyn,
                        policy->has_params ? &type_dyn : NULL, policy->has_variables ? variables : NULL);
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
