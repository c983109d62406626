/*
 * builder: from the parse tree to the abstract syntax tree, macros expanded.
 *
 * This is where words get their meaning: reserved names, literals' values,
 * operators' functions, macros (macro.h). What is wrong with those is added
 * to the issues, in cel-go's words and order. The tree is complete only if
 * nothing was.
 */
#ifndef TYPECHECK_SYNTAX_BUILDER_H
#define TYPECHECK_SYNTAX_BUILDER_H

#include <stdint.h>

#include "typecheck/syntax/dialect.h"
#include "typecheck/syntax/nodes.h"

struct parse_state;
struct parse_tree;

/* cel-go walks no deeper. */
#define BUILDER_MAX_DEPTH 250

struct builder {
    struct nodes nodes;              /* silent: the tree is too deep, nothing further is looked at */
    const struct parse_state *state; /* for its tokens */
    struct dialect dialect;
    uint32_t depth; /* of those productions that cel-go counts */
};

/* The node of `t`, NULL for none. Never NULL itself. */
struct node *builder_run(struct builder *b, const struct parse_tree *t);

#endif
