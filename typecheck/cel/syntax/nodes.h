/*
 * nodes: makes the nodes of a syntax tree and numbers them, for the builder and the macros.
 *
 * Operands must not be NULL.
 */
#ifndef TYPECHECK_CEL_SYNTAX_NODES_H
#define TYPECHECK_CEL_SYNTAX_NODES_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/base/issue_code.h"
#include "typecheck/cel/syntax/ast.h"
#include "typecheck/cel/syntax/extent.h"

struct arena;
struct issues;

struct nodes {
    struct arena *arena;
    struct str text; /* the expression's */
    struct issues *issues;
    uint32_t last_id;     /* the last id of a node or entry */
    bool is_silent;       /* no more issues are added */
    bool copies_keep_ids; /* a copy has the id of its original, so both count as one node */
};

uint32_t nodes_next_id(struct nodes *ns);
struct node *nodes_new(struct nodes *ns, enum node_kind kind, uint32_t offset);
struct node *nodes_literal(struct nodes *ns, uint32_t offset, struct literal literal);
/* A call or an operation; its arguments end at the first NULL. */
struct node *nodes_call(struct nodes *ns, uint32_t offset, struct str function, struct node *one,
                        struct node *two, struct node *three);
struct node *nodes_operation(struct nodes *ns, uint32_t offset, enum ast_operator op, struct node *one,
                             struct node *two, struct node *three);
/* Adds the issue, and makes a node in place of the one that cannot be made. */
struct node *nodes_fail(struct nodes *ns, enum issue_code code, struct extent at, struct str message);

#endif
