/*
 * builder: makes the syntax tree of what was recognized, macros expanded.
 *
 * This is where words get their meaning: reserved names, literals' values,
 * operators' functions, macros (macro.h). What is wrong with those is added
 * to the issues, in cel-go's words and order. The tree is complete only if
 * nothing was.
 */
#ifndef TYPECHECK_SYNTAX_BUILDER_H
#define TYPECHECK_SYNTAX_BUILDER_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/syntax/ast.h"
#include "typecheck/syntax/parser.h"

struct arena;
struct issues;
struct recognizer;
struct parse_tree;

/* cel-go walks no deeper. */
#define BUILDER_MAX_DEPTH 250

struct builder {
    struct arena *arena;
    const struct recognizer *from; /* for its tokens */
    struct issues *issues;
    struct parser_dialect dialect;
    uint32_t last_id; /* given to a node or entry */
    uint32_t depth;   /* of those productions that cel-go counts */
    bool is_too_deep; /* nothing further is looked at */
};

/* The node of `t`, NULL for none. Never NULL itself. */
struct node *builder_run(struct builder *b, const struct parse_tree *t);

/* For macro.c. */

struct node *builder_node(struct builder *b, enum node_kind kind, uint32_t offset);
uint32_t builder_next_id(struct builder *b);
/* Says what is wrong at `offset` and makes what stands for the node that there is none of. */
struct node *builder_fail(struct builder *b, uint32_t offset, const char *message);

#endif
