/*
 * policy_compile: compiles a policy's expressions, one after the other, as the API server does.
 *
 * Objects and params are dyn, every place has its own variables, and the result must have the right type
 * (cel_place.h).
 *
 *     struct policy_compile c;
 *     policy_compile_init(&c, a, env, &policy);
 *     for (...) if (!policy_compile_next(&c, &expression, &compiled)) ... compiled.problem
 */
#ifndef TYPECHECK_POLICY_COMPILE_POLICY_COMPILE_H
#define TYPECHECK_POLICY_COMPILE_POLICY_COMPILE_H

#include <stdbool.h>

#include "typecheck/policy/compile/cel_place.h"
#include "typecheck/policy/compile/policy.h"
#include "typecheck/policy/compile/root_variables.h"

struct arena;
struct env;
struct policy_variables;

struct policy_compile {
    struct arena *arena;
    struct cel_place_scope scope; /* keeps_plans is false at the beginning */
    struct policy_variables *variables;
    struct root_variables roots;
};

/* Everything lies in the arena; *c stays where it is. */
void policy_compile_init(struct policy_compile *c, struct arena *a, const struct env *env,
                         const struct policy *policy);

/* A variable comes before those that use it. Returns false if there is a problem. */
bool policy_compile_next(struct policy_compile *c, const struct policy_expression *e,
                         struct cel_place_compiled *out);

#endif
