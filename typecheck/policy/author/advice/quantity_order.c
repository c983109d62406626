#include "typecheck/policy/author/advice/quantity_order.h"

#include "typecheck/base/arena.h"
#include "typecheck/policy/author/advice/correction.h"

/* "<=", of the function "_<=_"; empty: the node does not compare two values by their order. */
static struct str order_of(const struct node *n)
{
    if (n->kind != NODE_CALL || !ast_is_order(n->op))
        return STR("");
    const struct str function = ast_operator_function(n->op);
    return (struct str){function.at + 1, function.len - 2};
}

/* '' and '0': no quantity but a negative one is less. */
static bool is_least(const struct node *n)
{
    return n->kind == NODE_LITERAL && n->literal.kind == LITERAL_STRING &&
           (n->literal.bytes.len == 0 || str_eq(n->literal.bytes, STR("0")));
}

static struct str correct(struct advice_look *l, const struct node *n, struct str one, struct str order,
                          struct str two)
{
    struct arena *a = l->arena;
    const struct str whole = extents_text(&l->extents, n);
    const struct str made = str_join(
        a, STR_PARTS(STR("quantity("), one, STR(").compareTo(quantity("), two, STR(")) "), order, STR(" 0")));
    return correction_replace(a, l->advice->asts[l->expression]->text, whole, made);
}

void quantity_order_look_at(struct advice_look *l, const struct advice_scope *scope, const struct node *n)
{
    const struct str order = order_of(n);
    if (order.len == 0)
        return;
    const struct node *const *sides = (const struct node *const *)n->call.args;
    size_t read = 0;
    while (read < 2 && advice_types_of_operand(l, scope, sides[read]) != &type_quantity_text)
        read++;
    if (read == 2 || is_least(sides[1 - read]))
        return;
    struct arena *a = l->arena;
    const struct str one = extents_text(&l->extents, sides[0]), two = extents_text(&l->extents, sides[1]);
    struct advice_item *item = one.len == 0 || two.len == 0 || two.at < one.at
                                   ? NULL
                                   : advice_list_add(l->advice, ADVICE_QUANTITY_ORDER, l->expression, n);
    if (item == NULL)
        return;
    item->message =
        str_join(a, STR_PARTS(STR("'"), read == 0 ? one : two, STR("' is a quantity in a string, and '"),
                              order, STR("' compares strings letter by letter: '10' is less than '2'")));
    item->type = l->type;
    item->correction = correct(l, n, one, order, two);
    item->hint = correction_hint(a, item->correction);
}
