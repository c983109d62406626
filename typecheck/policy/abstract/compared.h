/*
 * compared: comparisons with constants that are not values of the other operand: what is claimed of each
 * constant, and what such a comparison says once it is in doubt.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_COMPARED_H
#define TYPECHECK_POLICY_ABSTRACT_COMPARED_H

#include "typecheck/policy/abstract/context.h"

/* x in ['a', 'b']: each element that x never equals is a slip of its own. Where x can be any string, as after
 * an update of a custom resource, an element says nothing. */
void compared_claim_elements(struct eval_context *e, const struct node *n, const struct absval *x,
                             const struct absval *range);
/* The first element of a list from elsewhere, as of a variable, that x never equals. */
void compared_claim_list(struct eval_context *e, const struct node *n, const struct absval *x,
                         const struct absval *range, struct transfer *t);
/* m['key'] == null, where nothing asks whether the key is there. */
void compared_claim_entry(struct eval_context *e, const struct node *n, const struct absval *const *values,
                          struct transfer *t);

/* The value of a comparison of two values that is in doubt, and of x in ['a', 'b'], where one of the elements
 * may be another. v: what it is without the doubt about one, or elements. */
const struct absval *compared_doubt(struct eval_context *e, const struct node *n,
                                    const struct absval *const *values, const struct transfer *t,
                                    const struct absval *v);
const struct absval *compared_doubt_elements(struct eval_context *e, const struct node *n,
                                             const struct absval *const *values, const struct absval *v);

#endif
