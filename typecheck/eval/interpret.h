/*
 * interpret: evaluates an expression over abstract values (absval.h).
 *
 * Goes over the tree: names, variables, logic, literals, macros. What an
 * operation makes of its operands is asked of calls.h and qualifiers.h; what
 * guards an operand is the scope (context.h), and what fails or passes is
 * noted in the findings.
 */
#ifndef TYPECHECK_EVAL_INTERPRET_H
#define TYPECHECK_EVAL_INTERPRET_H

#include "typecheck/eval/context.h"

const struct absval *interpret_node(struct eval_context *e, const struct node *n);
/* Evaluates a variable: with nothing of what is known just where it is used. */
void interpret_variable(struct eval_context *e, struct variable_state *v);
/* Makes variable_slots, in `a`. */
void interpret_index_variables(struct eval_context *e, struct arena *a);

#endif
