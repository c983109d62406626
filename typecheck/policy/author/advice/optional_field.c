#include "typecheck/policy/author/advice/optional_field.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/syntax/selection.h"
#include "typecheck/cel/types/type.h"
#include "typecheck/policy/author/advice/advice_types.h"
#include "typecheck/policy/author/advice/atoms.h"
#include "typecheck/policy/author/advice/guards.h"
#include "typecheck/policy/author/advice/int_or_string.h"
#include "typecheck/policy/author/advice/patch_parent.h"
#include "typecheck/policy/author/advice/quantity_order.h"

/* ---- which fields ---- */

/* The variable of the macro that the node is; NULL if it is none. */
static const struct advice_scope *find_variable(struct arena *a, const struct advice_scope *scope,
                                                const struct node *n)
{
    while (n->kind == NODE_IDENT && scope != NULL && !str_eq(scope->name, ast_name(n))) {
        arena_step(a);
        scope = scope->outer;
    }
    return n->kind == NODE_IDENT ? scope : NULL;
}

/* The node at which the way to a field begins. The ways of a macro's variable begin where its range does, if
 * that is a way, else at the variable. */
static const struct node *find_root(struct arena *a, const struct advice_scope *scope, const struct node *n)
{
    const struct node *variable = NULL;
    for (;;) {
        const struct node *operand = selection_operand(n);
        const struct advice_scope *at = find_variable(a, scope, n);
        arena_step(a);
        if (operand != NULL && !selection_is_optional(n)) {
            n = operand;
        } else if (at != NULL && at->range != NULL) {
            variable = n;
            n = at->range;
            scope = at->outer;
        } else {
            return n->kind == NODE_IDENT || variable == NULL ? n : variable;
        }
    }
}

static bool is_ident(const struct node *n, const char *name)
{
    return n->kind == NODE_IDENT && str_eq(ast_name(n), str_of(name));
}

static bool is_field(const struct node *n, const char *name, const struct node **operand)
{
    *operand = n->kind == NODE_SELECT ? n->select.operand : NULL;
    return n->kind == NODE_SELECT && str_eq(n->select.field, str_of(name));
}

/* request.userInfo.extra, or what is read from it: the other fields of a request are there, or are asked for
 * on purpose. */
static bool is_of_extra(const struct node *operand, struct str field)
{
    const struct node *user, *request;
    if (is_field(operand, "userInfo", &request) && is_ident(request, "request"))
        return str_eq(field, STR("extra"));
    return is_field(operand, "extra", &user) && is_field(user, "userInfo", &request) &&
           is_ident(request, "request");
}

/* namespaceObject.metadata, and its labels: each namespace has its name as a label. So it is with its spec
 * and its status, and what the server sets in them. */
static bool is_of_each_namespace(const struct node *operand, struct str field)
{
    static const struct {
        const char *part;
        struct str field;
    } rows[] = {
        {"metadata", STR_INIT("labels")}, {"spec", STR_INIT("finalizers")}, {"status", STR_INIT("phase")}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct node *root;
        if ((is_ident(operand, "namespaceObject") && str_eq(field, str_of(rows[i].part))) ||
            (is_field(operand, rows[i].part, &root) && is_ident(root, "namespaceObject") &&
             str_eq(field, rows[i].field)))
            return true;
    }
    return false;
}

/* Returns true if the operand leads to something that a request or a cluster brings. */
static bool is_of_request(struct arena *a, const struct advice_scope *scope, const struct node *operand,
                          struct str field)
{
    const struct node *root = find_root(a, scope, operand);
    if (root->kind != NODE_IDENT || is_ident(root, "authorizer"))
        return false;
    if (is_ident(root, "request"))
        return is_of_extra(operand, field);
    if (is_of_each_namespace(operand, field))
        return false;
    return root != operand || !is_ident(root, "variables");
}

/* ---- the expression ---- */

static void add(struct advice_look *l, const struct node *n, struct correction_read read, uint32_t chain)
{
    struct arena *a = l->arena;
    struct advice_item *item = advice_list_add(l->advice, ADVICE_OPTIONAL_FIELD, l->expression, n);
    if (item == NULL)
        return;
    const struct str where =
        read.way.len == 0 ? STR("") : str_join(a, STR_PARTS(STR(" of '"), read.way, STR("'")));
    item->message = str_join(a, STR_PARTS(STR("the field '"), read.field, STR("'"), where,
                                          STR(" may be missing, and the expression then ends in an error")));
    item->fails = true;
    item->failure = ISSUE_NO_SUCH_KEY;
    item->type = l->type;
    item->read = read;
    item->chain = chain;
}

/* Of a chain of selections the inner ones come first. */
static void look_at_chain(struct advice_look *l, const struct advice_scope *scope, const struct node *n,
                          struct atoms_atom atom, uint32_t chain)
{
    struct str field = STR("");
    const struct node *operand = selection_field(n, &field);
    const bool is_test = n->kind == NODE_SELECT && n->select.test_only;
    arena_step(l->arena);
    if (selection_operand(n) != NULL)
        look_at_chain(l, scope, selection_operand(n), atom, chain);
    if (operand == NULL || is_test || selection_is_optional(n) ||
        !advice_types_may_miss(advice_types_of(l, scope, operand), field, l->types) ||
        !is_of_request(l->arena, scope, operand, field) ||
        guards_has(l->advice->guards, l->arena, operand, field))
        return;
    const unsigned side = atoms_side(&l->count, &atom, n);
    const struct correction_read read = {.way = atoms_way(l->arena, operand),
                                         .field = field,
                                         .atom = atoms_text(&l->extents, atom),
                                         .is_denial = atom.is_denial,
                                         .group = atom.group,
                                         .side = side};
    add(l, n, read, chain);
}

static void look(struct advice_look *l, const struct advice_scope *scope, const struct node *n,
                 struct atoms_atom atom, bool is_in_chain);

static void look_in_loop(struct advice_look *l, const struct advice_scope *scope, const struct node *macro,
                         struct atoms_atom atom)
{
    const struct comprehension *c = macro->comprehension;
    const struct atoms_count around = l->count;
    const struct type *range = advice_types_of(l, scope, c->range);
    const bool is_pair = c->iter_var2.len != 0, is_list = range->kind == TYPE_LIST;
    const struct advice_scope accu = {scope, c->accu_var, &type_dyn, NULL};
    const struct advice_scope first = {&accu, c->iter_var,
                                       is_list && !is_pair ? advice_types_element(range) : &type_dyn,
                                       is_pair ? NULL : c->range};
    const struct advice_scope second = {&first, c->iter_var2, advice_types_element(range), c->range};
    const struct advice_scope *inside = is_pair ? &second : &first;
    look(l, scope, c->range, atom, false); /* the atom may be the macro itself */
    l->count = atoms_count_of(macro);
    look(l, inside, c->condition, atoms_of_items(atom), false);
    look(l, inside, c->step, atoms_of_items(atom), false);
    l->count = around;
    look(l, &accu, c->result, atom, false);
}

/* Recurses as deep as the tree is. */
static void look(struct advice_look *l, const struct advice_scope *scope, const struct node *n,
                 struct atoms_atom atom, bool is_in_chain)
{
    arena_step(l->arena);
    if (n->kind == NODE_COMPREHENSION) {
        look_in_loop(l, scope, n, atom);
        return;
    }
    const struct node *operand = selection_operand(n);
    if (operand != NULL && !is_in_chain)
        look_at_chain(l, scope, n, atom, n->id);
    int_or_string_look_at(l, scope, n, atom);
    patch_parent_look_at(l, n);
    quantity_order_look_at(l, scope, n);
    size_t i = 0;
    for (const struct node *child = ast_child(n, i); child != NULL; child = ast_child(n, ++i))
        look(l, scope, child, atoms_of_child(n, child, atom), child == operand);
}

void optional_field_look(struct advice *advice, size_t type, size_t expression, const struct checked *checked,
                         struct types *types, const struct type *object)
{
    struct advice_look l = {.advice = advice,
                            .arena = advice->arena,
                            .type = type,
                            .expression = expression,
                            .checked = checked,
                            .types = types,
                            .object = object};
    const struct ast *ast = advice->asts[expression];
    if (advice->variables_type != type)
        memset(advice->variables, 0, advice->expression_count * sizeof(const struct type *));
    advice->variables_type = type;
    extents_init(&l.extents, l.arena, ast->text);
    const enum policy_place place = advice->expressions[expression].place;
    const bool is_bool =
        checked->result->kind == TYPE_BOOL || place == POLICY_VALIDATION || place == POLICY_MATCH_CONDITION;
    look(&l, NULL, ast->root, is_bool ? atoms_of_root(ast->root) : atoms_none(), false);
    advice->variables[expression] = advice_types_of(&l, NULL, ast->root);
}

void optional_field_correct(struct advice *advice)
{
    struct arena *a = advice->arena;
    for (size_t expression = 0; expression < advice->expression_count; expression++) {
        struct correction_read *reads = ARENA_ARRAY(a, advice->count + 1, struct correction_read);
        size_t count = 0, at = 0;
        for (size_t i = 0; i < advice->count; i++) {
            arena_step(a);
            if (advice->items[i].expression == expression && advice->items[i].sort == ADVICE_OPTIONAL_FIELD)
                reads[count++] = advice->items[i].read;
        }
        for (size_t i = 0; i < advice->count && count > 0; i++) {
            struct advice_item *item = &advice->items[i];
            if (item->expression != expression || item->sort != ADVICE_OPTIONAL_FIELD)
                continue;
            const struct str text = correction_make(a, advice->asts[expression]->text, reads, count, at++);
            item->correction = text;
            item->hint = text.len == 0 ? STR("test it with has(), or read it with `.?` and orValue()")
                                       : correction_hint(a, text);
        }
    }
}
