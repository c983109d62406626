/*
 * tree: what was recognized, before it means anything.
 *
 * A tree keeps what syntax.c needs of a production: its tokens by their
 * index, its parts as a chain of children. Productions that only pass one
 * part on have none of their own. After syntax errors trees can lack any
 * part. They live in the parser's arena.
 */
#ifndef TYPECHECK_SYNTAX_TREE_H
#define TYPECHECK_SYNTAX_TREE_H

#include <stdbool.h>
#include <stdint.h>

enum tree_kind {
    TREE_NOTHING,  /* no alternative was recognized */
    TREE_NO_UNARY, /* the same for `unary`, which cel-go takes for a string */
    TREE_ITEMS,    /* the children are arguments, elements, or keys and values in turn */
    /* ORDER TREES, as in grammar.h's BUILD_LITERAL and on */
    TREE_LITERAL,      /* op_token: the token; start is at its sign, if any */
    TREE_IDENT,        /* op_token: the name; start is at its leading dot, if any */
    TREE_ESCAPE_IDENT, /* op_token: the name */
    TREE_GLOBAL_CALL,  /* name, op_token: '('; items; start is at the leading dot, if any */
    TREE_LIST,         /* op_token: '['; items */
    TREE_MAP,          /* op_token: '{'; items */
    TREE_MESSAGE,      /* name: its first part; op_token: '{'; items; start as above */
    TREE_NOT,          /* op_token: the first; count of them; operand */
    TREE_NEGATE,
    TREE_TERNARY, /* op_token: '?'; condition, then, else */
    TREE_OR,      /* operands, the operator behind each but the last in `behind` */
    TREE_AND,
    TREE_BINARY,      /* left, operator, right */
    TREE_SELECT,      /* operand, op_token: '.', field */
    TREE_MEMBER_CALL, /* operand, name, op_token: '(', items */
    TREE_INDEX,       /* operand, op_token: '[', index */
};

struct tree {
    uint8_t kind;                   /* enum tree_kind */
    bool is_optional;               /* .?field, [?index] */
    bool is_flagged;                /* ?element, {?key: value} */
    uint32_t count;                 /* ITEMS: of children; NOT and NEGATE: of operators */
    uint32_t start, op_token, name; /* tokens by index */
    uint32_t behind;                /* in a chain: the token behind this one, TREE_NO_TOKEN if none */
    struct tree *first, *last;      /* children */
    struct tree *next;              /* sibling */
};

#define TREE_NO_TOKEN UINT32_MAX

#endif
