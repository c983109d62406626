/*
 * interpret: evaluates an expression over abstract values (absval.h).
 *
 * It walks the tree: names, variables, logic, literals, macros. calls.h and
 * qualifiers.h give the results of operations. The scope (context.h) holds what
 * guards an operand. Failures and passes are noted in the findings.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_INTERPRET_H
#define TYPECHECK_POLICY_ABSTRACT_INTERPRET_H

#include "typecheck/policy/abstract/context.h"

const struct absval *interpret_node(struct eval_context *e, const struct node *n);
/* Evaluates a variable, without the knowledge of the place where it is used. */
void interpret_variable(struct eval_context *e, struct variable_state *v);
/* Makes variable_slots, in `a`. */
void interpret_index_variables(struct eval_context *e, struct arena *a);

#endif
