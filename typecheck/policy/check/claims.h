/*
 * claims: finds the claims about an expression that hold for every request of every type that the policy
 * matches.
 *
 * The evaluation of a type claims of a node what is certain for the type: this `has()` is false, because the
 * type has no such field. The claim is a finding only if each type whose evaluation reaches the node
 * claims it, and some evaluation certainly reaches it. Whether that is so is known after the last type.
 *
 * A certain claim is a mistake, and what its value decides is judged as if it were not known. So each type
 * is evaluated a second time, with these doubts, and what was hidden by a mistake may have claims of its own.
 *
 *     claims_init(&claims, arena, plan);
 *     do
 *         for each type: evaluate it, and if there are claims_doubts(&claims), again with them:
 *             claims_add(&claims, ts, last evaluation);
 *             result = claims_result(scratch, &evaluated, expression);
 *             claims_put(&claims, scratch, &evaluated, expression, &result);
 *     while (claims_settle(&claims));
 */
#ifndef TYPECHECK_POLICY_CHECK_CLAIMS_H
#define TYPECHECK_POLICY_CHECK_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/policy/abstract/context.h"
#include "typecheck/policy/abstract/eval_policy.h"

/* The certain fact about a whole validation or match condition; code ISSUE_OTHER: there is none. */
struct claims_verdict {
    enum issue_code code;
    bool is_note;
    unsigned outcomes; /* a type with one of them has the verdict */
};

/* A claim of a type for which something else was probably meant, so that it is no note. */
struct claims_open {
    size_t expression;
    uint32_t node;
    struct hint hint;
};

struct claims {
    struct arena *arena; /* which also pays */
    const struct eval_policy_plan *plan;
    size_t *starts; /* by expression: where its nodes begin in sums and parts */
    size_t bytes;   /* of a sum, and of a part */
    bool is_kept;   /* the part of each type is complete, whatever others claim: it is kept (kept.h) */
    uint8_t *part;  /* the claims of the type added last: those by node, and the outcomes */

    /* of the present round: sums over the types so far */
    uint8_t *sum;
    uint8_t **nodes;   /* in the sum, by expression and node id: sums of enum site_claimed */
    uint8_t *outcomes; /* in the sum, by expression: sums of enum eval_policy_outcome */

    /* of the rounds before, as claims_settle found it */
    unsigned rounds;
    uint8_t *
        *certain; /* by expression and node id: SITE_CLAIMED, with SITE_NOTE or not; 0: no certain claim */
    bool *is_claimed;                /* by expression: it has a certain claim */
    unsigned *ended;                 /* by expression: its outcomes in the first round that reached it */
    unsigned conditions;             /* outcomes of all match conditions together in the first round */
    struct claims_verdict *verdicts; /* by expression */
    bool **doubted;                  /* this and the next: see struct eval_doubts */
    bool *doubted_whole;
    struct eval_doubts doubts;

    struct claims_open *open; /* of the type added last, in its memory */
    size_t open_count, open_cap;
};

/* All types are evaluated at most this many times. */
#define CLAIMS_ROUNDS 3u

void claims_init(struct claims *claims, struct arena *a, const struct eval_policy_plan *plan);
/* Adds what the evaluation of a type, which is done, claims and does not claim. ts: its types. */
void claims_add(struct claims *claims, struct types *ts, const struct eval_policy *evaluation);
/* Adds the part of a type, which an earlier check may have made; claims_can_add is false if it leaves open
 * what is to be known of the type. */
void claims_add_part(struct claims *claims, const uint8_t *part);
bool claims_can_add(const struct claims *claims, const uint8_t *part);
/* Makes the part of a type into that of others of its class: names of fields decide which of their claims are
 * notes. */
void claims_open_notes(const struct claims *claims, uint8_t *part);
/* claims_wants_note returns true if further types must still say if the claim of the node is a note.
 * claims_add_note says that it is one. */
bool claims_wants_note(const struct claims *claims, size_t expression, uint32_t node);
void claims_add_note(struct claims *claims, size_t expression, uint32_t node);
/* After the last type: whether claims are certain that were not before, so that there is a next round. */
bool claims_settle(struct claims *claims);

/* Returns true if the expression has a certain claim; false before claims_settle. */
static inline bool claims_has(const struct claims *claims, size_t expression)
{
    return claims->rounds != 0 && claims->is_claimed[expression];
}

/* The verdict on the expression. */
static inline struct claims_verdict claims_verdict_of(const struct claims *claims, size_t expression)
{
    static const struct claims_verdict none = {.code = ISSUE_OTHER};
    return claims->rounds == 0 ? none : claims->verdicts[expression];
}

/* The parts that are in doubt because of the certain claims so far; NULL: none. */
static inline const struct eval_doubts *claims_doubts(const struct claims *claims)
{
    return claims->rounds == 0 ? NULL : &claims->doubts;
}

/* The evaluations of one type. */
struct claims_evaluated {
    struct eval_policy *plain;
    struct eval_policy *doubted; /* the policy without what is in doubt; NULL if nothing is */
};

/* The findings of both; those of the doubted one only at sites of which the plain one says nothing. They lie
 * in `a`. */
struct eval_policy_result claims_result(struct arena *a, const struct claims_evaluated *evaluated,
                                        size_t expression);

/* The certain claims of the expression as the evaluation of one type has them, *count of them, in `a`: those
 * that are only notes, or the others. */
const struct eval_policy_finding *claims_list(const struct claims *claims, struct arena *a,
                                              const struct claims_evaluated *evaluated, size_t expression,
                                              bool wants_notes, size_t *count);

/* The verdict on the expression as a finding, with a text in `a`, if the type has it, and nothing else that
 * is reported explains it. */
bool claims_judge(const struct claims *claims, struct arena *a, const struct claims_evaluated *evaluated,
                  size_t expression, struct eval_policy_finding *out);

/* Adds those that are no notes to the result; its list then lies in `a`. */
void claims_put(const struct claims *claims, struct arena *a, const struct claims_evaluated *evaluated,
                size_t expression, struct eval_policy_result *result);

#endif
