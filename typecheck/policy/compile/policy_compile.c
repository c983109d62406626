#include "typecheck/policy/compile/policy_compile.h"

#include "typecheck/cel/checker/checked.h"
#include "typecheck/cel/types/policy_variables.h"
#include "typecheck/cel/types/type.h"

void policy_compile_init(struct policy_compile *c, struct arena *a, const struct env *env,
                         const struct policy *policy)
{
    const enum root_variables_user user =
        policy->is_template ? ROOT_VARIABLES_IN_TEMPLATE : ROOT_VARIABLES_AT_CREATE;
    struct types *types = types_new(a, env_types(env));
    const struct type *variables = policy_variables_type(types, policy->count, &c->variables);
    c->arena = a;
    c->scope =
        (struct cel_place_scope){.env = env, .types = types, .cache = policy->cache, .roots = &c->roots};
    root_variables_init(&c->roots, user, types, &type_dyn, policy->has_params ? &type_dyn : NULL,
                        policy->lacks_variables ? NULL : variables);
}

bool policy_compile_next(struct policy_compile *c, const struct policy_expression *e,
                         struct cel_place_compiled *out)
{
    const bool compiles = cel_place_compile((enum cel_place)e->place, &c->scope, c->arena, e->text, out);
    if (e->place == POLICY_VARIABLE)
        policy_variables_declare(c->variables, c->scope.types, e->name);
    if (e->place == POLICY_VARIABLE && compiles)
        policy_variables_set_type(c->variables, c->scope.types, out->checked->result);
    return compiles;
}
