/*
 * selection: the nodes of a tree that select a part of a value: a.b, has(a.b), a.?b, a[k] and a[?k].
 */
#ifndef TYPECHECK_CEL_SYNTAX_SELECTION_H
#define TYPECHECK_CEL_SYNTAX_SELECTION_H

#include "typecheck/cel/syntax/ast.h"

/* Returns true if the node is a.?b or a[?k]. */
static inline bool selection_is_optional(const struct node *n)
{
    return n->kind == NODE_CALL && (n->op == AST_OPTIONAL_SELECT || n->op == AST_OPTIONAL_INDEX);
}

/* The node whose value is selected from; NULL if the node is not a selection. */
static inline const struct node *selection_operand(const struct node *n)
{
    if (n->kind == NODE_SELECT)
        return n->select.operand;
    const bool is_index = n->kind == NODE_CALL && (n->op == AST_INDEX || selection_is_optional(n));
    return is_index ? n->call.args[0] : NULL;
}

/* The same if the expression has the name of what is selected, as in a.b and a['b']; NULL if it has not. */
static inline const struct node *selection_field(const struct node *n, struct str *name)
{
    const struct node *operand = selection_operand(n);
    const struct node *key = operand == NULL || n->kind == NODE_SELECT ? NULL : n->call.args[1];
    if (n->kind == NODE_SELECT)
        *name = n->select.field;
    else if (key != NULL && key->kind == NODE_LITERAL && key->literal.kind == LITERAL_STRING)
        *name = key->literal.bytes;
    else
        return NULL;
    return operand;
}

/* The optional x of x.orValue(y); NULL if the node is no such call. */
static inline const struct node *selection_or_value(const struct node *n)
{
    const bool is_call = n->kind == NODE_CALL && n->op == AST_FUNCTION && n->call.target != NULL;
    return is_call && str_eq(n->call.function, STR("orValue")) ? n->call.target : NULL;
}

#endif
