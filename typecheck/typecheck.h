/*
 * typecheck: checks a policy: expressions and schemas in, warnings out.
 *
 * Pure: no I/O, no clock. One check is about one policy and all its types, and
 * has arenas of its own. An expression is parsed once, however many types it is
 * checked against.
 *
 *     struct typecheck *t = typecheck_new(env, &policy, NULL);
 *     while (typecheck_step(t, steps)) ...             // another check's turn
 *     const struct typecheck_result *r = typecheck_result(t);
 *     for (size_t i = 0; i < r->warning_count; i++) ...
 *     typecheck_free(t);
 */
#ifndef TYPECHECK_TYPECHECK_H
#define TYPECHECK_TYPECHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/typecheck_policy.h"
#include "typecheck/typecheck_result.h"
#include "typecheck/types/env.h"

/* Work and memory of one policy's check (shared by all its expressions and types), and of each unit of it. */
struct typecheck_caps {
    size_t bytes;
    uint64_t steps;
    uint64_t unit_steps; /* an expression for a type, and each way in which the type comes */
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
 * Goes on with about `steps` of work; passes them by one unit at most. True: there is more to do. What
 * reaches a cap is a limit of the result; everything else is checked all the same.
 */
bool typecheck_step(struct typecheck *t, uint64_t steps);
/* Spent so far. */
uint64_t typecheck_steps(const struct typecheck *t);
/* Of memory: what it holds now. */
size_t typecheck_bytes(const struct typecheck *t);
/* To ask once typecheck_step answered false. Belongs to the check. */
const struct typecheck_result *typecheck_result(const struct typecheck *t);
void typecheck_free(struct typecheck *t);

/* All in one go. The result is the caller's, to deinit. typecheck_policy_within: with other caps. */
void typecheck_policy(const struct env *env, const struct typecheck_policy *policy,
                      struct typecheck_result *result);
void typecheck_policy_within(const struct env *env, const struct typecheck_policy *policy,
                             const struct typecheck_caps *caps, struct typecheck_result *result);
void typecheck_result_deinit(struct typecheck_result *result);

#endif
