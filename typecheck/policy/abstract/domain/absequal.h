/*
 * absequal: the results that == of two abstract values can have, and whether it can fail.
 *
 *     struct absequal comparison = {.arena = a};
 *     struct absequal_outcome outcome = absequal_compare(&comparison, one, other);
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_ABSEQUAL_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_ABSEQUAL_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/policy/abstract/domain/absval.h"

struct pair;

/* The results that a comparison can have. */
struct absequal_outcome {
    bool can_be[2]; /* by truth */
};

/* Values share parts: each pair of lists is compared once. Open addressing, a power of two. */
struct absequal {
    struct arena *arena;
    struct pair *pairs;
    size_t count, cap;
};

/* Compares two values; the result is known if both are constants, or if every value of one differs from every
 * value of the other. */
struct absequal_outcome absequal_compare(struct absequal *c, const struct absval *a, const struct absval *b);

/* add() and sub() return what has another Go type, which is asked only on the left: no quantity equals it. */
bool absequal_is_to_sum(const struct absval *left, const struct absval *right);

/* This is true when == of the two always fails because of the left one's type; null is not taken within
 * optionals. */
bool absequal_has_none(const struct absval *left, const struct absval *right, bool takes_null);

/* This is true when == of the two can fail because one of the API server's own types does not compare with
 * the other. */
bool absequal_may_lack(const struct absval *one, const struct absval *two);

/* The truths that the outcome can have, as a value. */
static inline const struct absval *absequal_value(struct arena *a, struct absequal_outcome outcome)
{
    return absval_of_bools(a, outcome.can_be[true], outcome.can_be[false]);
}

#endif
