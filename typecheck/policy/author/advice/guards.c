#include "typecheck/policy/author/advice/guards.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/selection.h"

enum { BUCKETS = 256 };

struct guard {
    const struct guard *next;
    const struct node *operand;
    struct str field;
};

struct advice_guards {
    const struct guard *buckets[BUCKETS]; /* by the field's name */
    const struct guard *typed;            /* values whose type is asked for */
};

static bool is_same_literal(const struct literal *one, const struct literal *two)
{
    if (one->kind != two->kind)
        return false;
    return one->kind == LITERAL_STRING ? str_eq(one->bytes, two->bytes)
                                       : one->kind == LITERAL_INT && one->integer == two->integer;
}

static bool is_string(const struct node *n)
{
    return n->kind == NODE_LITERAL && n->literal.kind == LITERAL_STRING;
}

/* Returns true if two operands lead to the same value: names, fields and indices, with or without `?`. */
static bool is_same(struct arena *a, const struct node *one, const struct node *two)
{
    struct str first = STR(""), second = STR("");
    arena_step(a);
    const struct node *of_one = selection_field(one, &first), *of_two = selection_field(two, &second);
    if (of_one != NULL && of_two != NULL)
        return str_eq(first, second) && is_same(a, of_one, of_two);
    if (one->kind != two->kind)
        return false;
    if (one->kind == NODE_IDENT)
        return str_eq(ast_name(one), ast_name(two));
    if (one->kind == NODE_LITERAL)
        return is_same_literal(&one->literal, &two->literal);
    return one->kind == NODE_CALL && one->op == AST_INDEX && two->op == AST_INDEX &&
           is_same(a, one->call.args[0], two->call.args[0]) &&
           is_same(a, one->call.args[1], two->call.args[1]);
}

static void add(struct advice_guards *g, struct arena *a, const struct node *operand, struct str field)
{
    struct guard *guard = ARENA_NEW(a, struct guard);
    const struct guard **bucket = &g->buckets[str_hash(field) % BUCKETS];
    arena_pay_hash(a, field.len);
    *guard = (struct guard){*bucket, operand, field};
    *bucket = guard;
}

/* x.?a of `x.?a.orValue(1)`. */
static const struct node *without_default(const struct node *value)
{
    const struct node *optional = selection_or_value(value);
    return optional == NULL ? value : optional;
}

static void add_typed(struct advice_guards *g, struct arena *a, const struct node *value)
{
    struct guard *guard = ARENA_NEW(a, struct guard);
    *guard = (struct guard){g->typed, without_default(value), STR("")};
    g->typed = guard;
}

/* Returns true if the value of a node is an optional one, because of a `?` in it. */
static bool is_optional(struct arena *a, const struct node *n)
{
    for (; n != NULL; n = selection_operand(n)) {
        arena_step(a);
        if (selection_is_optional(n))
            return true;
    }
    return false;
}

static void collect(struct advice_guards *g, struct arena *a, const struct node *n)
{
    struct str field;
    const struct node *operand = selection_field(n, &field);
    const bool is_test = n->kind == NODE_SELECT && n->select.test_only;
    arena_step(a);
    if (operand != NULL && (is_test || is_optional(a, n)))
        add(g, a, operand, field);
    if (n->kind == NODE_CALL && n->op == AST_FUNCTION && str_eq(n->call.function, STR("type")) &&
        ast_child(n, 0) != NULL)
        add_typed(g, a, ast_child(n, 0));
    if (n->kind == NODE_CALL && n->op == AST_IN && is_string(n->call.args[0]))
        add(g, a, n->call.args[1], n->call.args[0]->literal.bytes);
    for (size_t i = 0; ast_child(n, i) != NULL; i++)
        collect(g, a, ast_child(n, i));
}

struct advice_guards *guards_new(struct arena *a, const struct ast *const *asts, size_t count)
{
    struct advice_guards *g = ARENA_NEW(a, struct advice_guards);
    for (size_t i = 0; i < count; i++) {
        arena_step(a);
        if (asts[i] != NULL)
            collect(g, a, asts[i]->root);
    }
    return g;
}

bool guards_has(const struct advice_guards *g, struct arena *a, const struct node *operand, struct str field)
{
    arena_pay_hash(a, field.len);
    for (const struct guard *at = g->buckets[str_hash(field) % BUCKETS]; at != NULL; at = at->next) {
        arena_step(a);
        if (str_eq(at->field, field) && is_same(a, at->operand, operand))
            return true;
    }
    return false;
}

bool guards_has_type(const struct advice_guards *g, struct arena *a, const struct node *value)
{
    for (const struct guard *at = g->typed; at != NULL; at = at->next) {
        arena_step(a);
        if (is_same(a, at->operand, without_default(value)))
            return true;
    }
    return false;
}
