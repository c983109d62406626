#include "typecheck/base/arena.h"
#include "typecheck/eval/context.h"

/* One turn of the loop. */
struct turn {
    const struct absval *one, *two; /* the loop variables; two is NULL if there is one */
};

/* `name` stands for `value` in what is evaluated until e->locals is restored. */
static void bind(struct eval_context *e, struct str name, const struct absval *value)
{
    struct binding *b = ARENA_NEW(e->arena, struct binding);
    *b = (struct binding){e->locals, name, value};
    e->locals = b;
}

static const struct absval *walk_with(struct eval_context *e, const struct node *n, const struct node *part,
                                      const struct absval *accumulator, const struct turn *turn)
{
    const struct binding *outside = e->locals;
    bind(e, n->comprehension->accu_var, accumulator);
    if (turn != NULL && n->comprehension->iter_var2.len != 0)
        bind(e, n->comprehension->iter_var2, turn->two);
    if (turn != NULL)
        bind(e, n->comprehension->iter_var, turn->one);
    const struct absval *v = walk_node(e, part);
    e->locals = outside;
    return v;
}

/* What is kept of a turn. */
struct kept {
    struct absval value;
    struct literal constant;
};

/* A bool or a number holds on to nothing else, as those of all(), exists() and exists_one() do. */
static bool keep(struct kept *kept, const struct absval *v)
{
    bool is_number = (v->kinds & ~(uint32_t)ABS_NUMBER) == 0 && v->values != NULL && v->value_count == 1;
    if ((v->kinds != ABS_BOOL && !is_number) || v->list != NULL || v->maps != NULL)
        return false;
    struct literal constant = {.kind = LITERAL_NULL};
    if (is_number)
        constant = v->values[0];
    struct absval value = *v;
    value.inner = NULL;
    value.values = is_number ? &kept->constant : NULL;
    *kept = (struct kept){value, constant};
    return true;
}

/*
 * One element after the other, until the condition is false (comprehension.go,
 * evalFold). What a turn made is freed with it where its result can be kept
 * without; but not the value of a variable that it was the first to use.
 */
static const struct absval *fold_items(struct eval_context *e, const struct node *n,
                                       const struct abslist *items, const struct absval *accumulator)
{
    size_t mark = findings_mark(e->places);
    unsigned doubts = e->doubts;
    struct kept *kept = ARENA_NEW(e->arena, struct kept);
    for (size_t i = 0; i < items->count; i++) {
        struct arena_mark before = arena_mark(e->arena);
        size_t variables_run = e->variables_run;
        struct literal index = {.kind = LITERAL_INT, .integer = (int64_t)i};
        struct turn turn = {items->items[i], NULL};
        if (n->comprehension->iter_var2.len != 0)
            turn = (struct turn){absval_of_literal(e->arena, index), items->items[i]};
        const struct absval *goes_on = walk_with(e, n, n->comprehension->condition, accumulator, &turn);
        if (!goes_on->may_fail && !eval_context_can_be(goes_on, true))
            break;
        e->doubts += eval_context_is_doubtful(goes_on, true);
        accumulator = walk_with(e, n, n->comprehension->step, accumulator, &turn);
        bool is_free = e->arena != e->of_way || e->variables_run == variables_run;
        if (is_free && keep(kept, accumulator)) {
            accumulator = &kept->value;
            arena_release(e->arena, before);
        }
    }
    e->doubts = doubts;
    /* an error that a later element makes good, as in exists() */
    if (!accumulator->may_fail)
        findings_absorb(e->places, mark);
    return accumulator;
}

/*
 * Any number of elements of one sort: after none the accumulator is as it
 * began, after one or more as any of them makes it. Its exact value is the
 * one thing that depends on how many there are.
 */
static const struct absval *fold_any(struct eval_context *e, const struct node *n, const struct turn *turn,
                                     const struct absval *init)
{
    const struct absval *begun = absval_inexact(e->arena, init);
    const struct absval *step = walk_with(e, n, n->comprehension->step, begun, turn);
    return absval_join(e->arena, init, absval_inexact(e->arena, step));
}

/* Lists by elements, maps by keys. */
static bool make_turn(struct eval_context *e, const struct node *n, const struct absval *range,
                      struct turn *turn)
{
    const struct absval *list = (range->kinds & ABS_LIST) != 0 ? absval_elements(range) : NULL;
    const struct absval *keys = (range->kinds & ABS_MAP) != 0 ? absmap_keys(e->arena, range) : NULL;
    if (list == NULL && keys == NULL)
        return false;
    const struct absval *values = keys == NULL ? NULL : absmap_entries(e->arena, range);
    if (n->comprehension->iter_var2.len == 0) {
        turn->one = list == NULL ? keys : keys == NULL ? list : absval_join(e->arena, list, keys);
        return true;
    }
    turn->one = list == NULL ? keys : keys == NULL ? &absval_int : absval_join(e->arena, &absval_int, keys);
    turn->two = list == NULL ? values : values == NULL ? list : absval_join(e->arena, list, values);
    return true;
}

/* "A string, an int, null as the range of a macro fails; a map is a range of its keys." */
static const struct absval *fold_range(struct eval_context *e, const struct node *n,
                                       const struct absval *init)
{
    const struct node *range_node = n->comprehension->range;
    size_t mark = findings_mark(e->places);
    struct turn turn = {&absval_any, &absval_any};
    const struct absval *range = walk_node(e, range_node);
    if (!range->is_broken && (range->kinds & (ABS_LIST | ABS_MAP)) == 0) {
        struct str text = absval_text(e->arena, range);
        range = eval_context_fail_operand(
            e, range_node, range_node,
            STR_PARTS(STR("expression of type '"), text,
                      STR("' cannot be range of a comprehension (must be list, map, or dynamic)")));
    }
    if (range->is_broken) { /* whatever the range ought to be: the body may be wrong, too */
        struct past past = eval_context_go_past(e, range, mark);
        e->imagining++;
        fold_any(e, n, &turn, init);
        e->imagining--;
        eval_context_return(e, past);
        return range;
    }
    eval_context_pass_operand(e, range_node, range_node);
    bool is_exact = range->kinds == ABS_LIST && range->list != NULL && range->list->is_exact;
    const struct absval *v = init;
    if (is_exact)
        v = fold_items(e, n, range->list, init);
    else if (make_turn(e, n, range, &turn))
        v = fold_any(e, n, &turn, init);
    bool may_fail = range->may_fail || (range->kinds & ~(uint32_t)(ABS_LIST | ABS_MAP)) != 0;
    return may_fail ? absval_failing(e->arena, v) : v;
}

static bool is_binding(const struct node *n)
{
    const struct node *range = n->comprehension->range;
    return range->kind == NODE_LIST && range->list.count == 0;
}

const struct absval *fold_comprehension(struct eval_context *e, const struct node *n)
{
    const struct absval *init = walk_node(e, n->comprehension->init);
    if (is_binding(n)) /* a variable, bound once */
        return walk_with(e, n, n->comprehension->result, init, NULL);
    const struct absval *accumulator = fold_range(e, n, init);
    return walk_with(e, n, n->comprehension->result, accumulator, NULL);
}
