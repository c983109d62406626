/*
 * ast: the abstract syntax tree of an expression, its macros expanded.
 *
 * The eight node kinds of the CEL specification's syntax.proto. Nodes live in the parser's arena, and are
 * const once parsed: one tree is checked against many types, and the results of a check about its nodes are
 * kept in arrays indexed by node id.
 */
#ifndef TYPECHECK_CEL_SYNTAX_AST_H
#define TYPECHECK_CEL_SYNTAX_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"

enum node_kind {
    NODE_LITERAL,
    NODE_IDENT,
    NODE_SELECT,
    NODE_CALL,
    NODE_LIST,
    NODE_MAP,
    NODE_STRUCT,
    NODE_COMPREHENSION,
} __attribute__((packed)); /* this and the next are packed, so that they fit into the padding of a node */

/* The operator of a call. */
enum ast_operator {
    AST_FUNCTION, /* a function, no operator */
    AST_NOT,
    AST_NEGATE,
    AST_AND,
    AST_OR,
    AST_CONDITIONAL,
    AST_EQUALS,
    AST_NOT_EQUALS,
    AST_LESS,
    AST_LESS_EQUALS,
    AST_GREATER,
    AST_GREATER_EQUALS,
    AST_IN,
    AST_ADD,
    AST_SUBTRACT,
    AST_MULTIPLY,
    AST_DIVIDE,
    AST_MODULO,
    AST_INDEX,
    AST_OPTIONAL_INDEX,
    AST_OPTIONAL_SELECT,
    AST_NOT_STRICTLY_FALSE, /* the loop condition of all() and exists(): an error does not end the loop */
} __attribute__((packed));

enum literal_kind {
    LITERAL_NULL,
    LITERAL_BOOL,
    LITERAL_INT,
    LITERAL_UINT,
    LITERAL_DOUBLE,
    LITERAL_STRING,
    LITERAL_BYTES,
};

struct literal {
    enum literal_kind kind;
    union {
        bool boolean;
        int64_t integer;
        uint64_t uinteger;
        double floating;
        struct str bytes; /* STRING: UTF-8; BYTES: any */
    };
};

struct arena;
struct node;

/* An entry of a map (key) or a field of a struct (name). */
struct entry {
    uint32_t id, offset;
    struct node *key; /* map only */
    struct str name;  /* struct only */
    struct node *value;
    bool optional; /* {?key: value} */
};

struct comprehension {
    struct node *range, *init, *condition, *step, *result;
    struct str iter_var, iter_var2 /* empty: none */, accu_var;
};

struct node {
    enum node_kind kind;
    enum ast_operator op; /* of a call */
    uint32_t id;          /* from 1, dense, different for each node, except with copies_keep_ids (nodes.h) */
    uint32_t offset;      /* the place that issues about this node name (upstream-facts: a call's "(", a
                             selection's ".") */
    uint32_t arg_count;   /* of a call; placed here because it fits into padding */
    union {
        struct literal literal;
        struct str ident; /* with the leading "." if it was written */
        struct {
            struct node *operand;
            struct str field;
            bool test_only; /* has(operand.field) */
        } select;
        struct {
            struct str function; /* also for operators: ast_operator_function */
            struct node *target; /* the receiver of the call; NULL in global style */
            struct node **args;  /* arg_count of them */
        } call;
        struct {
            struct node **elements;
            bool *optional; /* a flag for each element that is optional ([?e]); NULL if none is */
            size_t count;
        } list;
        struct {
            struct entry *entries;
            size_t count;
        } map;
        struct {
            struct str type_name;
            struct entry *fields;
            size_t count;
        } structure;
        struct comprehension *comprehension; /* a pointer, since it is larger than all others, and rare */
    };
};

struct ast {
    struct str text; /* that it was parsed from; borrowed */
    struct node *root;
    uint32_t max_id; /* arrays by node or entry id have max_id + 1 places */
};

/* The function that an operator calls: "_+_". AST_FUNCTION has none: empty. */
struct str ast_operator_function(enum ast_operator op);

/* Returns true for <, <=, > and >=. */
static inline bool ast_is_order(enum ast_operator op)
{
    return op == AST_LESS || op == AST_LESS_EQUALS || op == AST_GREATER || op == AST_GREATER_EQUALS;
}

/* Returns true for the comparisons that are true of a value and itself. */
static inline bool ast_is_reflexive(enum ast_operator op)
{
    return op == AST_EQUALS || op == AST_LESS_EQUALS || op == AST_GREATER_EQUALS;
}

/* The children of a node in the order of the text, keys before their values; those of a comprehension in the
 * order of the struct; NULL after the last. */
const struct node *ast_child(const struct node *n, size_t i);

/* The tree in one line, for tests and debugging: a.b.f(1, ["x"]), operators as calls of their functions. With
 * places each node is followed by ^ and its offset. */
struct str ast_text(struct arena *a, const struct node *n, bool with_places);

struct str ast_without_dot(struct str name);   /* without a leading dot, which makes a name absolute */
struct str ast_name(const struct node *ident); /* the name of an identifier without a leading dot */

#endif
