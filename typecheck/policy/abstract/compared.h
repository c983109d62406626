/*
 * compared: comparisons with constants that are not values of the other operand: what is claimed of each
 * constant, and what such a comparison says once it is in doubt.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_COMPARED_H
#define TYPECHECK_POLICY_ABSTRACT_COMPARED_H

#include "typecheck/policy/abstract/context.h"

/* Claims each element that x never equals in x in ['a', 'b']: it is a slip of its own. If x can be any
 * string, as after an update of a custom resource, nothing is claimed. */
void compared_claim_elements(struct eval_context *e, const struct node *n, const struct absval *x,
                             const struct absval *range);
/* Claims the first element that x never equals of a list from elsewhere, for example a variable. */
void compared_claim_list(struct eval_context *e, const struct node *n, const struct absval *x,
                         const struct absval *range, struct transfer *t);
/* Claims m['key'] == null if nothing around it tests that the key is there. */
void compared_claim_entry(struct eval_context *e, const struct node *n, const struct absval *const *values,
                          struct transfer *t);

/* Claims x == x, x < x and the like, which say nothing of x. */
void compared_claim_same(struct eval_context *e, const struct node *n, const struct absval *const *values,
                         struct transfer *t);

/* Returns the value of a comparison that is in doubt: of two values, or of x in ['a', 'b'] if one of the
 * elements may be another. v: the value without that doubt. */
const struct absval *compared_doubt(struct eval_context *e, const struct node *n,
                                    const struct absval *const *values, const struct transfer *t,
                                    const struct absval *v);
const struct absval *compared_doubt_elements(struct eval_context *e, const struct node *n,
                                             const struct absval *const *values, const struct absval *v);

#endif
