/*
 * eval_policy: evaluates a policy's expressions abstractly for one type, and finds the sites that fail for
 * every object.
 *
 * Expressions are evaluated over sets of values (absval.h), once for each way
 * in which a request can bring the type (ways.h). The comment at each rule of
 * the evaluation says what the API server does at run time. A finding is a site
 * that evaluation reaches in some way, and that in this way always fails, or
 * compares two values that can never be equal. If that is not certain, there is
 * no finding.
 *
 *     struct eval_policy *r = eval_policy_new(ts, env, &plan, &subject, NULL, &of_way, &scratch);
 *     while (eval_policy_step(r)) ...         // a unit of work: one expression in one way
 *     struct eval_policy_result f = eval_policy_result(r, k);
 *     for (size_t i = 0; i < f.count; i++) ... f.findings[i].message
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_EVAL_POLICY_H
#define TYPECHECK_POLICY_ABSTRACT_EVAL_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/types/env.h"
#include "typecheck/policy/abstract/activation.h"
#include "typecheck/policy/abstract/findings.h"
#include "typecheck/policy/abstract/references.h"
#include "typecheck/policy/compile/policy.h"

struct eval_doubts;

/* The expressions to evaluate, the same for every type. */
struct eval_policy_plan {
    const struct policy_tree *expressions; /* a message follows its validation */
    size_t expression_count;
    struct references references; /* of all of them */
};

struct eval_policy_finding {
    struct extent span;
    enum issue_code code;
    bool is_of_operand;      /* the node is at fault as an operand, for example as the range of a macro */
    bool is_unequal;         /* it compares values that are never equal; evaluation goes on */
    bool is_claim;           /* it is true of every request of every type; evaluation goes on */
    bool is_ours, is_note;   /* as in struct failure */
    bool is_further;         /* about the same site as the previous finding, for other requests */
    struct policy_site site; /* in the first kind of request for which it is true */
    struct str message;
    struct str where; /* for which requests it is true: " on DELETE"; empty: for all */
    struct hint hint;
    /* The subject of the finding, as data; NULL if nothing is known but the message. */
    const struct issue_packed *about;
};

struct eval_policy_result {
    const struct eval_policy_finding *findings; /* in the order of the tree */
    size_t count;
    uint8_t truths;           /* a sum of enum policy_truth; 0: it is never evaluated */
    bool is_used;             /* for a variable: an expression that is evaluated uses it */
    enum arena_failure limit; /* ARENA_OK; else why it was not evaluated to its end: there are no findings */
};

struct eval_policy; /* under way */

/*
 * Everything lies in the arena of `ts`, except what belongs to one way or one
 * expression, which have their own arenas. All three are parts of one (arena.h).
 * doubts: the parts that are judged as if they were not known; NULL: none.
 */
struct eval_policy *eval_policy_new(struct types *ts, const struct env *env,
                                    const struct eval_policy_plan *plan,
                                    const struct activation_subject *subject,
                                    const struct eval_doubts *doubts, struct arena *of_way,
                                    struct arena *scratch);

/* Does a unit of work; false if there is none left. */
bool eval_policy_step(struct eval_policy *r);

/*
 * To be called after the arena's escape ended a unit. The expression of the
 * unit has a limit, or is evaluated again once the variables that it needs are
 * evaluated.
 */
void eval_policy_stop(struct eval_policy *r, enum arena_failure why);

/* Returns true if work that belongs to no expression reached its cap, so that nothing is known. */
bool eval_policy_is_limited(const struct eval_policy *r);
/* The same, or that of some expression did. */
bool eval_policy_has_limit(const struct eval_policy *r);

/*
 * The claims of evaluation about a node of the expression at index i: a sum of enum site_claimed. To be
 * called once eval_policy_step returned false.
 */
unsigned eval_policy_claimed(const struct eval_policy *r, size_t i, uint32_t node);
/* Says how an expression ended, over the ways of a type. Bits, which add up over types. */
enum eval_policy_outcome {
    OUTCOME_OPEN = 1,           /* it differs from request to request, or may fail */
    OUTCOME_TRUE = 2,           /* for each request */
    OUTCOME_FALSE = 4,          /* this and the next two: the same, if false */
    OUTCOME_TRUE_BY_AUTHOR = 8, /* this and the next: and its author decided that (enum absval_author) */
    OUTCOME_FALSE_BY_NAMES = 16,
    OUTCOME_FALSE_BY_LITERALS = 32,
    OUTCOME_SURE = 64, /* evaluation certainly got there in some way */
};

#define OUTCOME_NEVER_TRUE (OUTCOME_FALSE | OUTCOME_FALSE_BY_NAMES | OUTCOME_FALSE_BY_LITERALS)

/* The first field for which the expression at index i asks, and that the API server sets; empty: there is
 * none. */
struct str eval_policy_given(const struct eval_policy *r, struct arena *a, size_t i);
/* The outcomes of the validation or match condition at index i; 0 for any other expression. */
unsigned eval_policy_outcomes(const struct eval_policy *r, size_t i);
/* The outcomes of all match conditions together: OUTCOME_OPEN if a request may pass them; 0 if there are
 * none. */
unsigned eval_policy_conditions(const struct eval_policy *r);

/* The claim of the node, as a finding; the node has one. */
struct eval_policy_finding eval_policy_claim(const struct eval_policy *r, size_t i, uint32_t node);

/* The result for the expression at index i, once eval_policy_step returned false. The list lies in `a`. */
struct eval_policy_result eval_policy_result(struct eval_policy *r, size_t i, struct arena *a);

#endif
