/*
 * guards: the fields whose presence some expression of the policy asks for: has(a.b), a.?b, a[?'b'], 'b' in
 * a; and the values of which it asks the type.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_ADVICE_GUARDS_H
#define TYPECHECK_POLICY_AUTHOR_ADVICE_GUARDS_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/cel/syntax/ast.h"

struct arena;
struct advice_guards;

/* Collects the guards of all trees, in the arena. A NULL in the list is an expression that could not be
 * parsed. */
struct advice_guards *guards_new(struct arena *a, const struct ast *const *asts, size_t count);

/* Returns true if an expression asks for that field of an operand that is written in the same way. Local
 * variables of different macros count as the same if they have the same name. */
bool guards_has(const struct advice_guards *guards, struct arena *a, const struct node *operand,
                struct str field);
/* Returns true if an expression asks for the type of a value that is written in the same way, with type(). */
bool guards_has_type(const struct advice_guards *guards, struct arena *a, const struct node *value);

#endif
