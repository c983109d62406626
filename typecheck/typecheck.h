/*
 * typecheck: checks a policy: expressions and schemas in, warnings out.
 *
 * Pure: no I/O, no clock. One check is about one policy and all its types, and
 * has arenas of its own. An expression is parsed once for all types.
 *
 *     struct typecheck *t = typecheck_new(env, &policy, NULL);
 *     while (typecheck_step(t, steps)) ...             // other checks can run here
 *     const struct typecheck_result *r = typecheck_result(t);
 *     for (size_t i = 0; i < r->warning_count; i++) ...
 *     typecheck_free(t);
 */
#ifndef TYPECHECK_TYPECHECK_H
#define TYPECHECK_TYPECHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/cel/types/env.h"
#include "typecheck/typecheck_policy.h"
#include "typecheck/typecheck_result.h"

/* Limits of work and memory for the check of one policy (all expressions and types together), and for each
 * unit. */
struct typecheck_caps {
    size_t bytes;
    uint64_t steps;
    uint64_t unit_steps; /* a unit is an expression for a type, in one way (ways.h) */
};

extern const struct typecheck_caps typecheck_default_caps;

/*
 * caps NULL: the default ones. The env, the policy and all that it refers to
 * are borrowed until the check is freed. NULL: the machine has no memory.
 */
struct typecheck;
struct typecheck *typecheck_new(const struct env *env, const struct typecheck_policy *policy,
                                const struct typecheck_caps *caps);
/*
 * Does about `steps` of work, at most one unit more. Returns true if there is more to do. A part that reaches
 * a cap becomes a limit of the result; everything else is checked nevertheless.
 */
bool typecheck_step(struct typecheck *t, uint64_t steps);
/* The steps spent so far. */
uint64_t typecheck_steps(const struct typecheck *t);
/* The memory that it holds now. */
size_t typecheck_bytes(const struct typecheck *t);
/* To be called once typecheck_step returned false. The result belongs to the check. */
const struct typecheck_result *typecheck_result(const struct typecheck *t);
void typecheck_free(struct typecheck *t);

/* Does all steps at once. The caller deinits the result. typecheck_policy_within: with other caps. */
void typecheck_policy(const struct env *env, const struct typecheck_policy *policy,
                      struct typecheck_result *result);
void typecheck_policy_within(const struct env *env, const struct typecheck_policy *policy,
                             const struct typecheck_caps *caps, struct typecheck_result *result);
void typecheck_result_deinit(struct typecheck_result *result);

#endif
