/*
 * int_or_string: finds where an expression reads a field that is an integer or a string as if it was always
 * one of the two: `quantity(x)`, `x.endsWith('%')`, `int(x)`, `x > 1`.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_ADVICE_INT_OR_STRING_H
#define TYPECHECK_POLICY_AUTHOR_ADVICE_INT_OR_STRING_H

#include "typecheck/policy/author/advice/advice_types.h"
#include "typecheck/policy/author/advice/atoms.h"

/* Looks at one node; atom: the smallest around it that is true or false. A policy that asks for the type of
 * the field somewhere, with type(), gets no such advice about it. */
void int_or_string_look_at(struct advice_look *look, const struct advice_scope *scope, const struct node *n,
                           struct atoms_atom atom);

#endif
