#include "typecheck/policy/author/advice/unused_variable.h"

#include "typecheck/base/arena.h"

static bool is_ident(const struct node *n, struct str name)
{
    return n->kind == NODE_IDENT && str_eq(ast_name(n), name);
}

/* Returns true if a node, or one below it, reads the variable, or all of them. */
static bool uses(struct arena *arena, const struct node *n, struct str variable)
{
    const struct node *child;
    arena_step(arena);
    if (n->kind == NODE_SELECT && is_ident(n->select.operand, STR("variables")))
        return str_eq(n->select.field, variable);
    if (is_ident(n, STR("variables")))
        return true;
    for (size_t i = 0; (child = ast_child(n, i)) != NULL; i++) {
        if (uses(arena, child, variable))
            return true;
    }
    return false;
}

static bool is_used(const struct advice *a, size_t variable)
{
    for (size_t i = 0; i < a->expression_count; i++) {
        if (i != variable &&
            (a->asts[i] == NULL || uses(a->arena, a->asts[i]->root, a->expressions[variable].name)))
            return true;
    }
    return false;
}

void unused_variable_find(struct advice *a)
{
    for (size_t i = 0; i < a->expression_count; i++) {
        const bool is_named = a->expressions[i].name.len > 0; /* else the server refuses it */
        if (a->expressions[i].place != POLICY_VARIABLE || !is_named || is_used(a, i))
            continue;
        advice_list_add(a, ADVICE_UNUSED_VARIABLE, i, NULL)->message = str_join(
            a->arena, STR_PARTS(STR("no expression uses the variable '"), a->expressions[i].name, STR("'")));
    }
}
