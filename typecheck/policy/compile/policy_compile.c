#include "typecheck/policy/compile/policy_compile.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/mutation_types.h"
#include "typecheck/cel/types/policy_variables.h"
#include "typecheck/cel/types/type.h"

/* Lists the types that an expression in that place may evaluate to; NULL ends the list; empty: any type. */
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

static struct compile_problem describe(struct arena *a, enum policy_place place,
                                       enum expression_failure failure, const struct expression *x,
                                       struct str detail)
{
    static const struct str RESULTS[] = {
        [POLICY_VALIDATION] = STR_INIT("must evaluate to bool"),
        [POLICY_MESSAGE] = STR_INIT("must evaluate to string"),
        [POLICY_MATCH_CONDITION] = STR_INIT("must evaluate to bool"),
        [POLICY_VARIABLE] = STR_INIT(""),
        [POLICY_AUDIT_ANNOTATION] = STR_INIT("must evaluate to one of [string null_type]"),
        [POLICY_APPLY_CONFIGURATION] = STR_INIT("must evaluate to Object"),
        [POLICY_JSON_PATCH] = STR_INIT("must evaluate to list(JSONPatch)"),
    };
    const bool is_type = failure == EXPRESSION_HAS_WRONG_TYPE;
    const struct str words = is_type                            ? RESULTS[place]
                             : failure == EXPRESSION_HAS_ISSUES ? STR("compilation failed")
                                                                : STR("program instantiation failed");
    struct compile_problem problem;
    compile_problem_init(&problem, a, x,
                         str_join(a, STR_PARTS(words, is_type ? STR(" but got ") : STR(": "), detail)));
    problem.is_internal = failure == EXPRESSION_HAS_NO_PROGRAM;
    problem.brief_len = is_type ? words.len : problem.text.len;
    return problem;
}

void policy_compile_init(struct policy_compile *c, struct arena *a, const struct env *env,
                         const struct policy *policy)
{
    const enum root_variables_user user =
        policy->is_template ? ROOT_VARIABLES_IN_TEMPLATE : ROOT_VARIABLES_AT_CREATE;
    c->arena = a;
    c->env = env;
    c->cache = policy->cache;
    c->keeps_plans = false;
    c->types = types_new(a, env_types(env));
    const struct type *variables = policy_variables_type(c->types, policy->count, &c->variables);
    root_variables_init(&c->roots, user, c->types, &type_dyn, policy->has_params ? &type_dyn : NULL,
                        policy->lacks_variables ? NULL : variables);
}

bool policy_compile_next(struct policy_compile *c, const struct policy_expression *e,
                         struct policy_compiled *out)
{
    struct variable variables[ROOT_VARIABLES];
    const struct expression_scope scope = {
        .types = c->types,
        .env = policy_is_mutation(e->place) ? env_mutating(c->env) : c->env,
        .variables = variables,
        .variable_count = root_variables_of(&c->roots, e->place, variables),
        .cache = c->cache,
    };
    const struct type *wanted[3] = {NULL};
    struct str detail;
    list_results(c->types, e->place, wanted);
    enum expression_failure failure =
        expression_compile(&out->expression, c->arena, &scope, e->text, wanted, &out->checked,
                           c->keeps_plans ? &out->plan : NULL, &detail);
    bool compiles = failure == EXPRESSION_COMPILES || failure == EXPRESSION_LACKS_PLAN;
    out->lack = failure == EXPRESSION_LACKS_PLAN ? detail : STR("");
    out->problem = (struct compile_problem){.text = STR("")};
    if (!compiles)
        out->problem = describe(c->arena, e->place, failure, &out->expression, detail);
    if (failure == EXPRESSION_HAS_WRONG_TYPE)
        compile_problem_result(&out->problem, c->arena, wanted[0], out->checked.result);
    if (e->place == POLICY_VARIABLE)
        policy_variables_declare(c->variables, c->types, e->name);
    if (e->place == POLICY_VARIABLE && compiles)
        policy_variables_set_type(c->variables, c->types, out->checked.result);
    return compiles;
}
