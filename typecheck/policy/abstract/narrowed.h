/*
 * narrowed: what a value is behind the comparisons that guard its place, and which comparisons these decide.
 *
 * Behind "x == 'a' &&" x is 'a', and so "x == 'b'" is false there: the author cannot have meant it. The first
 * such node of an operand is noted in the context, and it is claimed where it decides the operator.
 *
 *     v = narrowed_value(e, n, v);            // of a node
 *     t = narrowed_truth(e, n, t);            // of what is a condition itself
 *     narrowed_note(e, n, operands, &t);      // of a comparison
 *     narrowed_claim(e, operator, e->decided, right);
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_NARROWED_H
#define TYPECHECK_POLICY_ABSTRACT_NARROWED_H

#include "typecheck/policy/abstract/context.h"

/* The value of `n` where it stands. Not where the type decides what it is. */
const struct absval *narrowed_value(struct eval_context *e, const struct node *n, const struct absval *v);
/* The same of a bool, which is noted as decided. */
struct transfer narrowed_truth(struct eval_context *e, const struct node *n, struct transfer t);
/* Notes that the comparison `n` of two values says the same of every request, if it does because of what
 * stands before it. */
void narrowed_note(struct eval_context *e, const struct node *n, const struct absval *const *values,
                   struct transfer *t);
/*
 * x == 'a' && x == 'b', x != 'a' || x != 'b': what the right operand asks is decided where it is asked, and
 * so that it decides the whole. `decided` is the comparison in it; NULL: none is.
 */
void narrowed_claim(struct eval_context *e, const struct node *n, const struct node *decided,
                    const struct absval *right);

#endif
