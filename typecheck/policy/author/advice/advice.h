/*
 * advice: parts of a policy's expressions that are not certainly wrong, but probably not what the author
 * meant.
 *
 * It reads syntax trees and their types; it evaluates nothing. Where an item names a failure, it is only a
 * guess that a request can make the expression fail there: a witness (typecheck/policy/author/witness) must
 * show it.
 *
 *     struct advice advice;
 *     advice_init(&advice, arena, expressions, asts, count);
 *     advice_look(&advice, type, expression, &checked, types, object);     // for each type and each
 * expression advice_find(&advice);                                        // after all types for (size_t i =
 * 0; i < advice.count; i++) report(&advice.items[i]);
 */
#ifndef TYPECHECK_POLICY_AUTHOR_ADVICE_ADVICE_H
#define TYPECHECK_POLICY_AUTHOR_ADVICE_ADVICE_H

#include "typecheck/cel/checker/checked.h"
#include "typecheck/policy/author/advice/advice_list.h"

/* All is borrowed. */
void advice_init(struct advice *advice, struct arena *arena, const struct policy_expression *expressions,
                 const struct ast *const *asts, size_t expression_count);

/* Looks at an expression that has no issues for a type, or only those of comparisons: one with null is not a
 * test. object: the type of `object`; NULL: it is not declared. */
void advice_look(struct advice *advice, size_t type, size_t expression, const struct checked *checked,
                 struct types *types, const struct type *object);

/* Looks at the policy as a whole. */
void advice_find(struct advice *advice);

#endif
