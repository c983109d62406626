#include "typecheck/advice/optional_field.h"

#include "typecheck/advice/guards.h"
#include "typecheck/base/arena.h"
#include "typecheck/base/issue_code.h"
#include "typecheck/syntax/selection.h"
#include "typecheck/types/type.h"

/* The way to an operand: object.spec.containers[0]; a longer one is not shown from its beginning. */
enum { PARTS_MAX = 24 };

/* The node at which the way to a field begins. */
static const struct node *find_root(struct arena *a, const struct node *n)
{
    const struct node *operand = selection_operand(n);
    while (operand != NULL && !selection_is_optional(n)) {
        arena_step(a);
        n = operand;
        operand = selection_operand(n);
    }
    return n;
}

/* Whether it leads to an object that a request brings: not to parameters, which the policy's owner writes. */
static bool is_of_request_object(struct arena *a, const struct node *operand)
{
    static const struct str others[] = {STR_INIT("params"), STR_INIT("request"), STR_INIT("authorizer"),
                                        STR_INIT("namespaceObject")};
    const struct node *root = find_root(a, operand);
    if (root->kind != NODE_IDENT)
        return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (str_eq(ast_name(root), others[i]))
            return false;
    }
    return root != operand || !str_eq(ast_name(root), STR("variables"));
}

/* The operand as an expression writes it; empty: it is no plain way. */
static struct str write_way(struct arena *a, const struct node *n)
{
    struct str parts[PARTS_MAX];
    size_t i = PARTS_MAX;
    for (; n->kind == NODE_SELECT && i >= 3; n = n->select.operand) {
        parts[--i] = n->select.field;
        parts[--i] = STR(".");
    }
    if (n->kind != NODE_IDENT)
        return STR("");
    parts[--i] = ast_name(n);
    return str_join(a, &parts[i], PARTS_MAX - i);
}

static bool may_be_missing(const struct type *t, struct str field, struct types *types)
{
    struct object_entry entry;
    if (t->kind == TYPE_MAP)
        return true;
    return t->kind == TYPE_OBJECT && t->ops != NULL && t->ops->key != NULL &&
           t->ops->key(t, field, types, &entry) && !entry.is_always_there &&
           (t->ops->is_filled == NULL || !t->ops->is_filled(t, field));
}

void optional_field_look(struct advice *advice, size_t type, size_t expression, const struct checked *checked,
                         struct types *types, const struct node *n)
{
    struct arena *a = advice->arena;
    struct str field = STR("");
    const struct node *operand = selection_field(n, &field);
    const bool is_test = n->kind == NODE_SELECT && n->select.test_only;
    if (operand == NULL || is_test || selection_is_optional(n) ||
        !may_be_missing(checked_type_of(checked, operand), field, types) ||
        !is_of_request_object(a, operand) || guards_has(advice->guards, a, operand, field))
        return;
    struct advice_item *item = advice_list_add(advice, ADVICE_OPTIONAL_FIELD, expression, n);
    if (item == NULL)
        return;
    const struct str way = write_way(a, operand);
    const struct str where = way.len == 0 ? STR("") : str_join(a, STR_PARTS(STR(" of '"), way, STR("'")));
    item->message = str_join(a, STR_PARTS(STR("the field '"), field, STR("'"), where,
                                          STR(" may be missing, and the expression then ends in an error")));
    item->failure = str_join(a, STR_PARTS(STR(ISSUE_NO_SUCH_KEY_TEXT), field));
    item->type = type;
}
