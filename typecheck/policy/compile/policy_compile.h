/*
 * policy_compile: compiles a policy's expressions, one after the other, as the API server does.
 *
 * Objects and params are dyn, every place has its own variables, and the result must have the right type
 * (k8s.io/apiserver/pkg/admission/plugin/cel, compile.go and composition.go).
 *
 *     struct policy_compile c;
 *     policy_compile_init(&c, a, env, &policy);
 *     for (...) if (!policy_compile_next(&c, &expression, &compiled)) ... compiled.problem
 */
#ifndef TYPECHECK_POLICY_COMPILE_POLICY_COMPILE_H
#define TYPECHECK_POLICY_COMPILE_POLICY_COMPILE_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/cel/interpreter/plan.h"
#include "typecheck/policy/compile/compile_problem.h"
#include "typecheck/policy/compile/expression_compile.h"
#include "typecheck/policy/compile/policy.h"
#include "typecheck/policy/compile/root_variables.h"

struct arena;
struct env;
struct policy_variables;
struct types;

struct policy_compile {
    struct arena *arena;
    const struct env *env;
    struct types *types;
    struct policy_variables *variables;
    struct root_variables roots;
    struct expression_cache *cache; /* the policy's */
    bool keeps_plans;               /* the expressions are to be evaluated; at the beginning they are not */
};

struct policy_compiled {
    struct expression expression;
    struct checked checked;
    struct compile_problem problem;
    struct plan plan; /* of what compiles, where plans are kept */
    struct str lack; /* the thing that is not evaluated here, so that there is no plan; empty: there is one */
};

/* Everything lies in the arena. */
void policy_compile_init(struct policy_compile *c, struct arena *a, const struct env *env,
                         const struct policy *policy);

/* A variable comes before those that use it. False: there is a problem. */
bool policy_compile_next(struct policy_compile *c, const struct policy_expression *e,
                         struct policy_compiled *out);

#endif
