#include "typecheck/advice/advice.h"

#include "typecheck/base/arena.h"

static struct advice_item *add(struct advice *a, enum advice_sort sort, size_t expression, uint32_t offset)
{
    ARENA_ROOM(a->arena, a->items, a->count, a->cap, 4);
    struct advice_item *item = &a->items[a->count++];
    *item = (struct advice_item){.sort = sort, .expression = expression, .offset = offset};
    return item;
}

/* ---- has() ---- */

static void list_presences(struct advice *a, size_t expression, const struct node *n)
{
    const struct node *child;
    arena_step(a->arena);
    if (n->kind == NODE_SELECT && n->select.test_only) {
        ARENA_ROOM(a->arena, a->presences, a->presence_count, a->presence_cap, 4);
        a->presences[a->presence_count++] = (struct advice_presence){n, expression, 0};
    }
    for (size_t i = 0; (child = ast_child(n, i)) != NULL; i++)
        list_presences(a, expression, child);
}

static bool is_absent(const struct issues *issues, const struct node *presence)
{
    const size_t count = issues->count < ISSUES_SHOWN ? issues->count : ISSUES_SHOWN;
    for (size_t i = 0; i < count; i++) {
        if (issues->list[i].offset == presence->offset &&
            str_has_prefix(issues->list[i].message, STR("undefined field '")))
            return true;
    }
    return false;
}

void advice_note(struct advice *a, size_t expression, const struct issues *issues)
{
    arena_pay(a->arena, 1 + a->presence_count / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; i < a->presence_count; i++) {
        struct advice_presence *p = &a->presences[i];
        if (p->expression != expression)
            continue;
        arena_pay(a->arena, 1 + issues->count / ARENA_LOOKS_PER_STEP);
        p->absences += is_absent(issues, p->node);
    }
}

static void find_absent(struct advice *a)
{
    for (size_t i = 0; i < a->presence_count; i++) {
        const struct advice_presence *p = &a->presences[i];
        if (p->absences < a->type_count || a->type_count == 0)
            continue;
        struct advice_item *item = add(a, ADVICE_ABSENT_FIELD, p->expression, p->node->offset);
        item->message = str_join(a->arena, STR_PARTS(STR("has() is always false: there is no field '"),
                                                     p->node->select.field, STR("'")));
    }
}

/* ---- variables ---- */

static bool is_ident(const struct node *n, struct str name)
{
    return n->kind == NODE_IDENT && str_eq(ast_name(n), name);
}

/* Whether a node, or one below it, reads the variable, or all of them. */
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

static void find_unused(struct advice *a)
{
    for (size_t i = 0; i < a->expression_count; i++) {
        if (a->expressions[i].place != POLICY_VARIABLE || is_used(a, i))
            continue;
        add(a, ADVICE_UNUSED_VARIABLE, i, 0)->message = str_join(
            a->arena, STR_PARTS(STR("no expression uses the variable '"), a->expressions[i].name, STR("'")));
    }
}

/* ---- all of it ---- */

void advice_init(struct advice *a, struct arena *arena, const struct policy_expression *expressions,
                 const struct ast *const *asts, size_t expression_count, size_t type_count)
{
    *a = (struct advice){.arena = arena,
                         .expressions = expressions,
                         .asts = asts,
                         .expression_count = expression_count,
                         .type_count = type_count};
    for (size_t i = 0; i < expression_count; i++) {
        if (asts[i] != NULL)
            list_presences(a, i, asts[i]->root);
    }
}

void advice_find(struct advice *a)
{
    find_unused(a);
    find_absent(a);
}
