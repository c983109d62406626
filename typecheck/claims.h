/*
 * claims: which claims about an expression hold for every request of every type that the policy matches.
 *
 * The evaluation of a type claims of a node what is certain for the type: this `has()` is false, because the
 * type has no such field. The claim is a finding only if each type claims it whose evaluation reaches the
 * node, and some evaluation certainly reaches it. Whether that is so is known after the last type.
 *
 *     claims_init(&claims, arena, plan);
 *     for each type: claims_add(&claims, ts, evaluation);
 *     if (claims_settle(&claims))
 *         for each type again: claims_put(&claims, scratch, evaluation, expression, &result);
 */
#ifndef TYPECHECK_CLAIMS_H
#define TYPECHECK_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/eval/eval_policy.h"

struct claims {
    struct arena *arena; /* which also pays */
    const struct eval_policy_plan *plan;
    uint8_t **nodes;  /* by expression and node id: sums of enum site_claimed over the types so far */
    bool *is_claimed; /* by expression, after claims_settle: it has a certain claim */
};

void claims_init(struct claims *claims, struct arena *a, const struct eval_policy_plan *plan);
/* Adds what the evaluation of a type, which is done, claims and does not claim. ts: its types. */
void claims_add(struct claims *claims, struct types *ts, const struct eval_policy *evaluation);
/* After the last type: whether any claim is certain. */
bool claims_settle(struct claims *claims);

/* Whether the expression has a certain claim; false before claims_settle. */
static inline bool claims_has(const struct claims *claims, size_t expression)
{
    return claims->is_claimed != NULL && claims->is_claimed[expression];
}

/* The certain claims of the expression as the evaluation of one type has them, *count of them, in `a`: those
 * that are only notes, or the others. */
const struct eval_policy_finding *claims_list(const struct claims *claims, struct arena *a,
                                              const struct eval_policy *evaluation, size_t expression,
                                              bool wants_notes, size_t *count);

/* Adds those that are no notes to the result; its list then lies in `a`. */
void claims_put(const struct claims *claims, struct arena *a, const struct eval_policy *evaluation,
                size_t expression, struct eval_policy_result *result);

#endif
