#include "typecheck/cel/syntax/nodes.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/issue.h"

uint32_t nodes_next_id(struct nodes *ns)
{
    return ++ns->last_id;
}

struct node *nodes_new(struct nodes *ns, enum node_kind kind, uint32_t offset)
{
    struct node *n = ARENA_NEW(ns->arena, struct node);
    n->kind = kind;
    n->id = nodes_next_id(ns);
    n->offset = offset;
    return n;
}

struct node *nodes_literal(struct nodes *ns, uint32_t offset, struct literal literal)
{
    struct node *n = nodes_new(ns, NODE_LITERAL, offset);
    n->literal = literal;
    return n;
}

struct node *nodes_call(struct nodes *ns, uint32_t offset, struct str function, struct node *one,
                        struct node *two, struct node *three)
{
    struct node *const args[] = {one, two, three};
    const uint32_t count = one == NULL ? 0 : two == NULL ? 1 : three == NULL ? 2 : 3;
    struct node *n = nodes_new(ns, NODE_CALL, offset);
    n->call.function = function;
    n->arg_count = count;
    n->call.args = ARENA_ARRAY(ns->arena, count, struct node *);
    for (uint32_t i = 0; i < count; i++)
        n->call.args[i] = args[i];
    return n;
}

struct node *nodes_operation(struct nodes *ns, uint32_t offset, enum ast_operator op, struct node *one,
                             struct node *two, struct node *three)
{
    struct node *n = nodes_call(ns, offset, ast_operator_function(op), one, two, three);
    n->op = op;
    return n;
}

/* Returns a literal in place of the node that is wrong, because no macro takes a literal for a name. */
struct node *nodes_fail(struct nodes *ns, enum issue_code code, struct extent at, struct str message)
{
    if (!ns->is_silent)
        issues_add(ns->issues, code, at, message);
    return nodes_new(ns, NODE_LITERAL, at.offset);
}
