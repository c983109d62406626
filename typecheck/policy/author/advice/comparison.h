/*
 * comparison: what a comparison says of a value that it reads, and what it is where there is no such value.
 *
 * A way is a path of fields as the expression writes it, `object.spec`.
 *
 *     if (comparison_is(n) && comparison_is_true_of_nothing(n, part)) ...   // part == '', !part
 */
#ifndef TYPECHECK_POLICY_AUTHOR_ADVICE_COMPARISON_H
#define TYPECHECK_POLICY_AUTHOR_ADVICE_COMPARISON_H

#include <stdbool.h>

#include "typecheck/cel/syntax/ast.h"

/* This is true of the calls of an operator whose operands are compared, and of `!`. */
bool comparison_is(const struct node *n);

/* This is true of a name, and of fields behind it. */
bool comparison_is_way(const struct node *n);

/* This is true when the comparison would be true if the part of it that may be missing had no value: an empty
 * text or list, 0, false. If it is compared with another field, there is nothing to compare. */
bool comparison_is_true_of_nothing(const struct node *n, const struct node *part);

/* x > 1, or 1 < x */
bool comparison_is_bound(const struct node *n);

/* x > 1, x.matches('...'), or x in ['...']: what a value must be, if there is one. */
bool comparison_is_form(const struct node *n);

#endif
