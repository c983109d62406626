#include "typecheck/advice/advice.h"

#include <string.h>

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

/* ---- conditions that never change ---- */

/* request.operation */
static bool is_operation(const struct node *n)
{
    return n->kind == NODE_SELECT && str_eq(n->select.field, STR("operation")) &&
           is_ident(n->select.operand, STR("request"));
}

/* object.kind, oldObject.kind */
static bool is_kind(const struct node *n)
{
    return n->kind == NODE_SELECT && !n->select.test_only && str_eq(n->select.field, STR("kind")) &&
           (is_ident(n->select.operand, STR("object")) || is_ident(n->select.operand, STR("oldObject")));
}

static bool is_string(const struct node *n)
{
    return n->kind == NODE_LITERAL && n->literal.kind == LITERAL_STRING;
}

static bool is_same_but_case(struct str one, struct str two)
{
    return one.len == two.len && strncasecmp(one.at, two.at, one.len) == 0;
}

static void judge_operation(struct advice *a, size_t expression, const struct node *value)
{
    const struct str text = value->literal.bytes;
    struct str hint = STR("");
    for (size_t i = 0; i < POLICY_OPERATIONS; i++) {
        struct str name = policy_operation_names[i];
        if (str_eq(name, text))
            return;
        if (is_same_but_case(name, text))
            hint = str_join(a->arena, STR_PARTS(STR(", did you mean '"), name, STR("'?")));
    }
    add(a, ADVICE_NEVER_OPERATION, expression, value->offset)->message =
        str_join(a->arena, STR_PARTS(STR("request.operation is never '"), text, STR("'"), hint));
}

static void judge_kind(struct advice *a, size_t expression, const struct node *value)
{
    const struct str text = value->literal.bytes;
    struct str hint = STR("");
    arena_pay(a->arena, 1 + a->type_count / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; i < a->type_count; i++) {
        if (str_eq(a->types[i].kind, text))
            return;
        if (is_same_but_case(a->types[i].kind, text))
            hint = str_join(a->arena, STR_PARTS(STR(", did you mean '"), a->types[i].kind, STR("'?")));
    }
    add(a, ADVICE_NEVER_KIND, expression, value->offset)->message =
        str_join(a->arena, STR_PARTS(STR("the policy matches no object of kind '"), text, STR("'"), hint));
}

/* A value that is compared with one of several words. */
static void judge(struct advice *a, size_t expression, const struct node *of, const struct node *value)
{
    if (!is_string(value))
        return;
    if (is_operation(of))
        judge_operation(a, expression, value);
    else if (is_kind(of) && a->type_count > 0)
        judge_kind(a, expression, value);
}

static void find_never(struct advice *a, size_t expression, const struct node *n)
{
    const struct node *child;
    arena_step(a->arena);
    if (n->kind == NODE_CALL && (n->op == AST_EQUALS || n->op == AST_NOT_EQUALS)) {
        judge(a, expression, n->call.args[0], n->call.args[1]);
        judge(a, expression, n->call.args[1], n->call.args[0]);
    }
    if (n->kind == NODE_CALL && n->op == AST_IN && n->call.args[1]->kind == NODE_LIST) {
        for (size_t i = 0; i < n->call.args[1]->list.count; i++)
            judge(a, expression, n->call.args[0], n->call.args[1]->list.elements[i]);
    }
    for (size_t i = 0; (child = ast_child(n, i)) != NULL; i++)
        find_never(a, expression, child);
}

/* ---- all of it ---- */

void advice_init(struct advice *a, struct arena *arena, const struct policy_expression *expressions,
                 const struct ast *const *asts, size_t expression_count, const struct policy_type *types,
                 size_t type_count)
{
    *a = (struct advice){.arena = arena,
                         .expressions = expressions,
                         .asts = asts,
                         .expression_count = expression_count,
                         .types = types,
                         .type_count = type_count};
    for (size_t i = 0; i < expression_count; i++) {
        if (asts[i] != NULL)
            list_presences(a, i, asts[i]->root);
    }
}

void advice_find(struct advice *a)
{
    find_unused(a);
    for (size_t i = 0; i < a->expression_count; i++) {
        if (a->asts[i] != NULL)
            find_never(a, i, a->asts[i]->root);
    }
    find_absent(a);
}
