/*
 * create_check: compiles a policy's expressions as the API server does when the
 * policy is created. Pure; a public header beside typecheck.h.
 *
 * At create, objects and params are dyn, every place has its own variables, and
 * the result must have the right type (k8s.io/apiserver/pkg/admission/plugin/cel,
 * compile.go and composition.go). The environment is that of new expressions.
 *
 *     struct create_check_result r;
 *     create_check_policy(env, &policy, &r);
 *     for (size_t i = 0; i < policy.count; i++) if (r.problems[i].text.len != 0) ...
 *     create_check_result_deinit(&r);
 */
#ifndef TYPECHECK_POLICY_COMPILE_CREATE_CHECK_H
#define TYPECHECK_POLICY_COMPILE_CREATE_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/policy/compile/compile_problem.h"
#include "typecheck/typecheck.h"

struct create_check_result {
    struct compile_problem *problems; /* by expression; NULL: no memory */
    bool is_exhausted;  /* a cap was reached: nothing is known about the expressions from there on */
    struct arena arena; /* holds the problems */
};

/* The policy has its variables before the expressions that use them. */
void create_check_policy(const struct env *env, const struct policy *policy,
                         struct create_check_result *result);
/* The same with a limit on the work; result->arena.steps are the steps that were spent. */
void create_check_policy_within(const struct env *env, const struct policy *policy, uint64_t max_steps,
                                struct create_check_result *result);
void create_check_result_deinit(struct create_check_result *result);

#endif
