/*
 * kept: what the types of a policy add to its claims and truths, kept for the next check of the policy.
 *
 * Of thousands of types that a policy of `*` matches, a definition that comes, changes or goes is one. The
 * check of each other type would find what it found before, for it depends on the policy, the type, and the
 * names of all types alone. So what a type adds is kept under its identity (struct policy_type): an outcome,
 * which many types share. The next check adds it again, and checks the types that have none. Then it merges
 * what is universal from all of them, as after a check of each type.
 *
 * If something is reported of a type, its outcome has what a second type with it adds to the report; so of
 * these types the first one is checked each time. Nothing is kept of types that reached a limit, nor of the
 * rounds after the first (claims.h), which depend on what is certain. Names are asked for again before
 * anything is used: if one of them is judged in another way, all is forgotten. Outcomes with claims and those
 * without (the types are not all known, perhaps only for a moment) are kept beside each other.
 *
 *     kept_begin(&run, arena, policy, &claims, &names);
 *     for each type:
 *         if (!kept_add(&run, identity, truths))
 *             ... check ..., kept_put(&run, identity, kept_outcome(&run, blocks, count), steps);
 *         else
 *             ... report kept_blocks(&run, identity, &count) ...
 */
#ifndef TYPECHECK_POLICY_CHECK_KEPT_H
#define TYPECHECK_POLICY_CHECK_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/cel/schema/graph_digest.h"
#include "typecheck/policy/abstract/names.h"
#include "typecheck/policy/check/claims.h"
#include "typecheck/policy/check/classes.h"
#include "typecheck/typecheck_policy.h"

/* Outcomes of one policy; types with further ones are checked each time. */
enum { KEPT_OUTCOMES_MAX = 100 };

struct kept_outcomes;

/* All zero: nothing is kept. */
struct kept_run {
    struct typecheck_kept *kept;
    struct kept_outcomes *outcomes; /* those with claims, or those without */
    struct claims *claims;          /* the claims of this check; NULL if there are none */
    struct names *names;
    size_t expression_count;
    uint8_t *record; /* what the type at hand adds: the part of its claims, then truths, then `reported` */
    struct schema_digest reported;                                            /* of the type at hand */
    bool is_added[KEPT_OUTCOMES_MAX + 1], is_reported[KEPT_OUTCOMES_MAX + 1]; /* by outcome */
    uint64_t steps; /* about those that the types took whose outcomes were kept */
};

void kept_begin(struct kept_run *run, struct arena *a, const struct typecheck_policy *policy,
                struct claims *claims, struct names *names);

/* Adds what is kept of the type to the claims and the truths; false if it is to be checked. */
bool kept_add(struct kept_run *run, uint32_t identity, uint8_t *truths);

/* The blocks that are to be reported of such a type. */
const struct classes_block *kept_blocks(const struct kept_run *run, uint32_t identity, size_t *count);

/* A type is at hand, of which nothing is reported yet; and a block that is reported of it. */
void kept_begin_type(struct kept_run *run);
void kept_report(struct kept_run *run, const struct classes_block *block);
/* The truths of the type at hand, by expression. */
uint8_t *kept_truths(const struct kept_run *run);
/* The number of the outcome of the type at hand, and of other types of its class; 0 if there is no room.
 * blocks: all that were reported. */
unsigned kept_outcome(struct kept_run *run, const struct classes_block *blocks, size_t count);
unsigned kept_outcome_of_class(struct kept_run *run, const struct classes_block *blocks, size_t count);
/* Keeps the outcome of a type, which took so many steps; outcome 0: it has none. */
void kept_put(struct kept_run *run, uint32_t identity, unsigned outcome, uint64_t steps);

#endif
