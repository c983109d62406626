/*
 * extent: finds the part of an expression's text that an issue blames, and the part that a node of its tree
 * stands for.
 *
 * A node knows one place, which is also the place that cel-go names: a token, the dot of a selection, the
 * bracket that opens a call, an index, a list or a map, the colon of a field. An issue blames what people see
 * there, which may begin before that place: the token, the name of the field, the call from its name to the
 * bracket that closes it, or all from bracket to bracket.
 *
 *     object.spec.replica > 1     undefined field: "replica"
 *     object.kind.size('x')       no matching overload: "size('x')"
 *     object.kind == 1            no matching overload: "=="
 *     Object{spce: 1}             undefined field: "spce"
 *
 * A node stands for all from the first to the last token of itself and its children, with the parentheses
 * that pair with tokens between them. In `(a || b) && c` the first operand is `a || b`, and the whole
 * expression is the whole text. A node that a macro made stands for the call of the macro.
 *
 *     struct extents x;
 *     extents_init(&x, a, text);
 *     struct str part = extents_text(&x, node);
 */
#ifndef TYPECHECK_CEL_SYNTAX_EXTENT_H
#define TYPECHECK_CEL_SYNTAX_EXTENT_H

#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/syntax/lexer.h"
#include "typecheck/cel/syntax/source.h"

struct arena;
struct node;

/* Bytes of the text. All three are SOURCE_NOWHERE or SOURCE_BEFORE if there is no place. */
struct extent {
    uint32_t offset;     /* the place that cel-go names */
    uint32_t begin, end; /* the part that is blamed */
};

#define EXTENT_NOWHERE ((struct extent){SOURCE_NOWHERE, SOURCE_NOWHERE, SOURCE_NOWHERE})

static inline struct extent extent_of_token(struct token t)
{
    return (struct extent){t.start, t.start, t.end};
}

/* The bytes at the node's own place. The text is that of the node's tree; the arena pays for the work. */
struct extent extent_of_place(struct arena *a, struct str text, const struct node *n);
/* The same, but of a call or a structure only its name. */
struct extent extent_of_name(struct arena *a, struct str text, const struct node *n);
/* The token at the offset, if that is an operator, a dot, the bracket of a call, or the colon of a field. */
struct extent extent_of_operator(struct arena *a, struct str text, uint32_t offset);

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

/* Returns true if the node is an operator that is written in the text, and was not made by a macro. */
bool extents_is_written(const struct extents *x, const struct node *call);

#endif
