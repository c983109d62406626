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
#include <stdint.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/policy/compile/compile_problem.h"
#include "typecheck/typecheck.h"

struct create_check_run;

struct create_check_result {
    struct compile_problem *problems; /* by expression; NULL: no memory */
    bool is_exhausted;  /* a cap was reached: nothing is known about the expressions from there on */
    struct arena arena; /* holds the problems */
};

/* The policy has its variables before the expressions that use them. */
void create_check_policy(const struct env *env, const struct policy *policy,
                         struct create_check_result *result);
void create_check_result_deinit(struct create_check_result *result);

/*
 * The same in slices, each of which ends between two expressions; an expression has caps->unit_steps. The
 * policy must outlive the run. Returns NULL if there is no memory.
 */
struct create_check_run *create_check_start(const struct env *env, const struct policy *policy,
                                            const struct typecheck_caps *caps);
/* Does about `steps` of work, at most one expression more. Returns true if there is more to do. */
bool create_check_step(struct create_check_run *run, uint64_t steps);
/* The result so far, with the steps that were spent (arena.steps). It belongs to the run. */
const struct create_check_result *create_check_found(const struct create_check_run *run);
void create_check_end(struct create_check_run *run); /* ends the check, which may be NULL */

#endif
