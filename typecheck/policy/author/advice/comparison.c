#include "typecheck/policy/author/advice/comparison.h"

bool comparison_is(const struct node *n)
{
    switch (n->op) {
    case AST_NOT:
    case AST_EQUALS:
    case AST_NOT_EQUALS:
    case AST_LESS:
    case AST_LESS_EQUALS:
    case AST_GREATER:
    case AST_GREATER_EQUALS:
    case AST_IN:
        return n->kind == NODE_CALL;
    case AST_FUNCTION:
    case AST_NEGATE:
    case AST_AND:
    case AST_OR:
    case AST_CONDITIONAL:
    case AST_ADD:
    case AST_SUBTRACT:
    case AST_MULTIPLY:
    case AST_DIVIDE:
    case AST_MODULO:
    case AST_INDEX:
    case AST_OPTIONAL_INDEX:
    case AST_OPTIONAL_SELECT:
    case AST_NOT_STRICTLY_FALSE:
        break;
    }
    return false;
}

bool comparison_is_way(const struct node *n)
{
    while (n->kind == NODE_SELECT && !n->select.test_only)
        n = n->select.operand;
    return n->kind == NODE_IDENT;
}

/* size(a.b), or a.b.size() */
static bool is_size(const struct node *n)
{
    return n->kind == NODE_CALL && n->op == AST_FUNCTION && str_eq(n->call.function, STR("size")) &&
           ast_child(n, 0) != NULL && ast_child(n, 1) == NULL && comparison_is_way(ast_child(n, 0));
}

/* Compares the literal with the empty value of its kind (null, false, 0, ""). -1: the literal is less; 0:
 * they are equal; 1: it is greater. */
static int compare_nothing(const struct literal *l)
{
    switch (l->kind) {
    case LITERAL_NULL:
        return 0;
    case LITERAL_BOOL:
        return l->boolean;
    case LITERAL_INT:
        return (l->integer > 0) - (l->integer < 0);
    case LITERAL_UINT:
        return l->uinteger > 0;
    case LITERAL_DOUBLE:
        return (l->floating > 0) - (l->floating < 0);
    case LITERAL_STRING:
    case LITERAL_BYTES:
        return l->bytes.len > 0;
    }
    return 0;
}

/* This is true when the comparison is. order: -1, 0 or 1 if the second operand is less than the first one,
 * equal, or greater. */
static bool is_true_for(enum ast_operator op, int order)
{
    return (op == AST_EQUALS && order == 0) || (op == AST_NOT_EQUALS && order != 0) ||
           (op == AST_LESS && order > 0) || (op == AST_LESS_EQUALS && order >= 0) ||
           (op == AST_GREATER && order < 0) || (op == AST_GREATER_EQUALS && order <= 0);
}

bool comparison_is_true_of_nothing(const struct node *n, const struct node *part)
{
    if (n->op == AST_NOT || n->op == AST_IN)
        return n->op == AST_NOT;
    const bool is_first = part == n->call.args[0];
    const struct node *other = n->call.args[is_first ? 1 : 0];
    const bool is_order = n->op != AST_EQUALS && n->op != AST_NOT_EQUALS;
    if (other->kind == NODE_LITERAL && (comparison_is_way(part) || is_size(part))) {
        const int order = compare_nothing(&other->literal);
        return is_true_for(n->op, is_first ? order : -order);
    }
    if (is_order && is_size(part))
        return is_true_for(n->op, is_first ? 1 : -1);
    return n->op == AST_NOT_EQUALS || (is_order && comparison_is_way(part) && comparison_is_way(other));
}

static bool is_number(const struct node *n)
{
    return n->kind == NODE_LITERAL && (n->literal.kind == LITERAL_INT || n->literal.kind == LITERAL_UINT ||
                                       n->literal.kind == LITERAL_DOUBLE);
}

bool comparison_is_bound(const struct node *n)
{
    return ast_is_order(n->op) && ((comparison_is_way(n->call.args[0]) && is_number(n->call.args[1])) ||
                                   (is_number(n->call.args[0]) && comparison_is_way(n->call.args[1])));
}

bool comparison_is_form(const struct node *n)
{
    static const struct str names[] = {STR_INIT("matches"), STR_INIT("startsWith"), STR_INIT("endsWith")};
    if (n->kind != NODE_CALL || comparison_is_bound(n))
        return n->kind == NODE_CALL;
    if (n->op == AST_IN)
        return comparison_is_way(n->call.args[0]) && n->call.args[1]->kind == NODE_LIST;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (n->op == AST_FUNCTION && n->call.target != NULL && str_eq(n->call.function, names[i]))
            return comparison_is_way(n->call.target);
    }
    return false;
}
