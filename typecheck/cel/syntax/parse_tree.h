/*
 * parse_tree: the concrete syntax tree, before names, literals and macros get a meaning.
 *
 * A tree keeps what builder.c needs of a production: the indexes of its tokens,
 * and its parts as a chain of children. A production that only passes on one part
 * has no tree of its own. After syntax errors, any part of a tree can be missing.
 * Trees lie in the parser's arena.
 */
#ifndef TYPECHECK_CEL_SYNTAX_PARSE_TREE_H
#define TYPECHECK_CEL_SYNTAX_PARSE_TREE_H

#include <stdbool.h>
#include <stdint.h>

enum parse_tree_kind {
    PARSE_TREE_NOTHING,      /* no alternative was recognized */
    PARSE_TREE_NO_UNARY,     /* the same for `unary`, which cel-go treats as a string */
    PARSE_TREE_ITEMS,        /* the children are arguments, elements, or keys and values in turn */
    PARSE_TREE_LITERAL,      /* op_token: the token; start is at its sign, if any */
    PARSE_TREE_IDENT,        /* op_token: the name; start is at its leading dot, if any */
    PARSE_TREE_ESCAPE_IDENT, /* op_token: the name */
    PARSE_TREE_GLOBAL_CALL,  /* name, op_token: '('; items; start is at the leading dot, if any */
    PARSE_TREE_LIST,         /* op_token: '['; items */
    PARSE_TREE_MAP,          /* op_token: '{'; items */
    PARSE_TREE_MESSAGE,      /* name: its first part; op_token: '{'; items; start as above */
    PARSE_TREE_NOT,          /* op_token: the first; count of them; operand */
    PARSE_TREE_NEGATE,
    PARSE_TREE_TERNARY, /* op_token: '?'; condition, then, else */
    PARSE_TREE_OR,      /* operands; `behind` is the operator after each but the last */
    PARSE_TREE_AND,
    PARSE_TREE_BINARY,      /* left, operator, right */
    PARSE_TREE_SELECT,      /* operand, op_token: '.', field */
    PARSE_TREE_MEMBER_CALL, /* operand, name, op_token: '(', items */
    PARSE_TREE_INDEX,       /* operand, op_token: '[', index */
};

struct parse_tree {
    uint8_t kind;                    /* enum parse_tree_kind */
    bool is_optional;                /* .?field, [?index] */
    bool is_flagged;                 /* ?element, {?key: value} */
    uint32_t count;                  /* ITEMS: of children; NOT and NEGATE: of operators */
    uint32_t start, op_token, name;  /* tokens by index */
    uint32_t behind;                 /* in a chain: the token after this one; PARSE_TREE_NO_TOKEN: none */
    struct parse_tree *first, *last; /* children */
    struct parse_tree *next;         /* sibling */
};

#define PARSE_TREE_NO_TOKEN UINT32_MAX

#endif
