/*
 * extent: finds the part of an expression's text that a node of its tree stands for.
 *
 * A node knows only one place. The extent goes from the first to the last token of the node and its children,
 * with the parentheses that pair with tokens between them. In `(a || b) && c` the first operand is `a || b`,
 * and the whole expression is the whole text. A node that a macro made stands for the call of the macro.
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
    uint32_t *partners; /* by token: the other bracket of the pair; the token itself if it is no bracket */
    size_t count, cap;
};

/* The text must parse; it is borrowed. The arena pays for the work. */
void extents_init(struct extents *x, struct arena *a, struct str text);

/* The extent of the node, a part of the text. */
struct str extents_text(const struct extents *x, const struct node *node);

/* Whether the node is an operator that is written in the text, and was not made by a macro. */
bool extents_is_written(const struct extents *x, const struct node *call);

#endif
