#include "typecheck/policy/author/advice/advice_types.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/selection.h"

static const struct type *variable_type(const struct advice_look *l, struct str name)
{
    const struct advice *a = l->advice;
    for (size_t i = 0; i < a->expression_count; i++) {
        arena_step(l->arena);
        if (a->expressions[i].place == POLICY_VARIABLE && str_eq(a->expressions[i].name, name) &&
            a->variables[i] != NULL)
            return a->variables[i];
    }
    return &type_dyn;
}

const struct type *advice_types_element(const struct type *container)
{
    const bool has_elements = container->kind == TYPE_LIST || container->kind == TYPE_MAP;
    return has_elements && container->param_count > 0 ? container->params[container->param_count - 1]
                                                      : &type_dyn;
}

static const struct type *field_type(struct advice_look *l, const struct type *of, struct str field)
{
    struct object_entry entry;
    const bool is_known = of->kind == TYPE_OBJECT && of->ops != NULL && of->ops->key != NULL &&
                          of->ops->key(of, field, l->types, &entry);
    return is_known ? entry.type : of->kind == TYPE_MAP ? advice_types_element(of) : &type_dyn;
}

static bool is_variable_of_policy(const struct node *n)
{
    return n->kind == NODE_SELECT && n->select.operand->kind == NODE_IDENT &&
           str_eq(ast_name(n->select.operand), STR("variables"));
}

/* The type of a selected value, if it is there; is_optional: it may be selected by `.?`, or from an optional.
 */
static const struct type *selected_type(struct advice_look *l, const struct advice_scope *scope,
                                        const struct node *n, bool is_optional)
{
    struct str field = STR("");
    const struct node *operand = selection_operand(n);
    arena_step(l->arena);
    if (operand == NULL)
        return &type_dyn;
    const bool is_wrapped = is_optional && type_is_optional(checked_type_of(l->checked, operand));
    const struct type *of =
        is_wrapped ? selected_type(l, scope, operand, true) : advice_types_of(l, scope, operand);
    return selection_field(n, &field) != NULL ? field_type(l, of, field) : advice_types_element(of);
}

static const struct type *dynamic_type(struct advice_look *l, const struct advice_scope *scope,
                                       const struct node *n)
{
    if (n->kind == NODE_IDENT) {
        while (scope != NULL && !str_eq(scope->name, ast_name(n)))
            scope = scope->outer;
        return scope == NULL ? &type_dyn : scope->type;
    }
    if (is_variable_of_policy(n))
        return variable_type(l, n->select.field);
    return selection_is_optional(n) ? &type_dyn : selected_type(l, scope, n, false);
}

const struct type *advice_types_of(struct advice_look *l, const struct advice_scope *scope,
                                   const struct node *n)
{
    const struct type *known = checked_type_of(l->checked, n);
    arena_step(l->arena);
    return known->kind == TYPE_DYN ? dynamic_type(l, scope, n) : known;
}

const struct type *advice_types_of_operand(struct advice_look *l, const struct advice_scope *scope,
                                           const struct node *n)
{
    const struct node *optional = selection_or_value(n);
    return optional == NULL ? advice_types_of(l, scope, n) : selected_type(l, scope, optional, true);
}

bool advice_types_may_miss(const struct type *t, struct str field, struct types *types)
{
    struct object_entry entry;
    if (t->kind == TYPE_MAP)
        return true;
    return t->kind == TYPE_OBJECT && t->ops != NULL && t->ops->key != NULL &&
           t->ops->key(t, field, types, &entry) && !entry.is_always_there &&
           (t->ops->is_given == NULL || !t->ops->is_given(t, field, types));
}
