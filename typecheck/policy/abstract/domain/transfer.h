/*
 * transfer: the result of an operation on abstract operands.
 *
 * The abstract evaluation has a transfer function for each operation of CEL:
 * from the sets of its operands it makes the set of its results: "an int" +
 * "an int" is "an int, or an error". If no operands in those sets have a
 * result, the operation fails for every object: the value is absval_error, and the
 * failure says why. A transfer function (calls.h, qualifiers.h) knows
 * neither the expression nor the findings; interpret.h connects them.
 *
 * An operation that passes can be certain in another way: `has(object.spec.replcas)` is false for every
 * object of the set, because the schema has no such field. Its claim says so. A claim of every type that the
 * policy matches is a finding (claims.h).
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_TRANSFER_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_TRANSFER_H

#include "typecheck/base/arena.h"
#include "typecheck/base/issue_about.h"
#include "typecheck/base/issue_code.h"
#include "typecheck/policy/abstract/domain/absval.h"
#include "typecheck/policy/abstract/domain/hint.h"

/* Says why an operation is worth an issue. */
struct failure {
    enum issue_code code;
    bool is_unequal;    /* it compares values that are never equal; false: it ends in an error */
    bool is_ours;       /* a claim that upstream's checker does not make in other words */
    bool is_note;       /* a claim that is only a note */
    bool is_here;       /* it is true here, and in other kinds of requests it may not be */
    struct str message; /* if is_here, what follows it says where it is true: " here", " on DELETE" */
    struct hint hint;
    /* The subject of the failure, as data; NULL if nothing is known but the message. */
    const struct issue_packed *about;
};

struct transfer {
    const struct absval *value;
    const struct failure *failure; /* the failure of each evaluation; NULL if some may pass */
    const struct failure *claim; /* what no object changes about the value, and the author did not mean; NULL:
                                    nothing */
    bool is_as_claimed;          /* without a claim: it is what any claim says */
    bool is_given;               /* it tests for a field that the API server sets */
};

/* It may pass. */
static inline struct transfer transfer_passes(const struct absval *value)
{
    return (struct transfer){.value = value};
}

/* It always fails. The failure lies in the arena. */
static inline struct transfer transfer_fails(struct arena *a, struct failure why)
{
    struct failure *failure = ARENA_NEW(a, struct failure);
    *failure = why;
    return (struct transfer){.value = &absval_error, .failure = failure};
}

/*
 * Returns why no request makes the two equal, if the one is a string of which all words are known (abswords),
 * and the other a constant that is none of them; NULL if some request may, or nothing is known.
 */
const struct failure *transfer_no_word(struct arena *a, const struct absval *one, const struct absval *two);

/* Returns true if the whole text is, starts with, ends with or contains the other one. */
bool transfer_passes_test(enum abswords_test test, struct str whole, struct str text);

/* Returns why no request makes the test of x with a constant text true; NULL if some request may, or nothing
 * is known. */
const struct failure *transfer_no_text(struct arena *a, enum abswords_test test, const struct absval *x,
                                       const struct absval *constant);

/* It passes, with a claim, which is copied. */
static inline struct transfer transfer_claims(struct arena *a, const struct absval *value, struct failure why)
{
    struct failure *claim = ARENA_NEW(a, struct failure);
    *claim = why;
    return (struct transfer){.value = value, .claim = claim};
}

#endif
