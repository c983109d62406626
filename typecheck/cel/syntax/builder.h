/*
 * builder: makes the abstract syntax tree from the parse tree, and expands macros.
 *
 * Here words get their meaning: reserved names, values of literals, functions of
 * operators, macros (macro.h). Errors in these are added to the issues, in
 * cel-go's words and order. The tree is complete only if there were none.
 */
#ifndef TYPECHECK_CEL_SYNTAX_BUILDER_H
#define TYPECHECK_CEL_SYNTAX_BUILDER_H

#include <stdint.h>

#include "typecheck/cel/syntax/dialect.h"
#include "typecheck/cel/syntax/nodes.h"

struct parse_state;
struct parse_tree;

/* cel-go's limit of depth. */
#define BUILDER_MAX_DEPTH 250

struct builder {
    struct nodes nodes;              /* is_silent: the tree is too deep, and the rest is ignored */
    const struct parse_state *state; /* for its tokens */
    struct dialect dialect;
    uint32_t depth; /* of those productions that cel-go counts */
};

/* The node of `t`, which may be NULL. The result is never NULL. */
struct node *builder_run(struct builder *b, const struct parse_tree *t);

#endif
