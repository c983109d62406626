/*
 * extent: which part of an expression's text a node of its tree stands for.
 *
 * A node knows one place. The extent reaches from the first token of the node and its parts to the last one,
 * with the parentheses that belong to tokens in between: of `(a || b) && c` the first operand is `a || b`,
 * the whole is all of it. A node that a macro made stands for the call of the macro.
 *
 *     struct extents x;
 *     extents_init(&x, a, text);
 *     struct str part = extents_text(&x, node);
 */
#ifndef TYPECHECK_SYNTAX_EXTENT_H
#define TYPECHECK_SYNTAX_EXTENT_H

#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/syntax/lexer.h"

struct arena;
struct node;

struct extents {
    struct arena *arena;
    struct str text;
    struct token *tokens;
    uint32_t *partners; /* by token: the bracket that closes or opens it; else the token itself */
    size_t count, cap;
};

/* The text is one that parses; it is borrowed. The work is paid in the arena. */
void extents_init(struct extents *x, struct arena *a, struct str text);

/* A part of the text. */
struct str extents_text(const struct extents *x, const struct node *node);

/* Whether the node stands where the operator that it is was written, and no macro made it. */
bool extents_is_written(const struct extents *x, const struct node *call);

#endif
