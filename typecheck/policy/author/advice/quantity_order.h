/*
 * quantity_order: finds where an expression orders quantities by their letters: `limits.memory <= '2Gi'`. The
 * API server stores a quantity as a string, and of strings '10Gi' is less than '2Gi'.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_ADVICE_QUANTITY_ORDER_H
#define TYPECHECK_POLICY_AUTHOR_ADVICE_QUANTITY_ORDER_H

#include "typecheck/policy/author/advice/advice_types.h"

/* Looks at one node. A comparison with '0' or '' gets no such advice: all other quantities are greater. */
void quantity_order_look_at(struct advice_look *look, const struct advice_scope *scope, const struct node *n);

#endif
