#include "typecheck/policy/author/witness/wishing.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/schema/property_name.h"
#include "typecheck/cel/syntax/selection.h"

/* ---- names ---- */

const struct wish_local *wishing_find_local(const struct wishing *w, struct str name)
{
    const struct wish_local *l = w->locals;
    while (l != NULL && !str_eq(l->name, name))
        l = l->outer;
    return l;
}

static bool is_variables(const struct wishing *w, const struct node *n)
{
    return n->kind == NODE_IDENT && str_eq(ast_name(n), STR("variables")) &&
           wishing_find_local(w, n->ident) == NULL;
}

/* The name that a selection asks for; false: it is none, or not constant. */
static bool field_of(const struct wishing *w, const struct node *n, struct str *out)
{
    if (n->kind == NODE_SELECT) {
        *out = n->select.field;
        return true;
    }
    const struct literal *key = wishing_literal(w, n->call.args[1]);
    if (key == NULL || key->kind != LITERAL_STRING)
        return false;
    *out = key->bytes;
    return true;
}

/* A variable hides those of its name before it. */
const struct node *wishing_variable(const struct wishing *w, const struct node *n)
{
    struct str name;
    if (selection_operand(n) == NULL || !is_variables(w, selection_operand(n)) || !field_of(w, n, &name) ||
        !property_name_unescape(w->arena, name, &name))
        return NULL;
    for (size_t i = w->policy->count; i-- > 0;) {
        const struct policy_tree *e = &w->policy->expressions[i];
        arena_step(w->arena);
        if (e->place == POLICY_VARIABLE && str_eq(e->name, name))
            return e->ast == NULL ? NULL : e->ast->root;
    }
    return NULL;
}

/* ---- constants ---- */

static const struct literal *negate(struct arena *a, const struct literal *l)
{
    struct literal *negated = ARENA_NEW(a, struct literal);
    *negated = *l;
    if (l->kind == LITERAL_INT)
        negated->integer = (int64_t)(0 - (uint64_t)l->integer);
    else if (l->kind == LITERAL_DOUBLE)
        negated->floating = -l->floating;
    return negated;
}

static bool is_one_argument(const struct node *n)
{
    return n->kind == NODE_CALL && n->op == AST_FUNCTION && n->arg_count == 1 && n->call.target == NULL;
}

/* Evaluated where those are the variables. */
static struct wishing within(const struct wishing *w, const struct wish_local *locals)
{
    struct wishing other = *w;
    other.locals = locals;
    other.depth++;
    return other;
}

const struct literal *wishing_literal(const struct wishing *w, const struct node *n)
{
    arena_step(w->arena);
    if (w->depth > WISH_DEPTH)
        return NULL;
    if (n->kind == NODE_LITERAL)
        return &n->literal;
    if (n->kind == NODE_CALL && n->op == AST_NEGATE) {
        const struct literal *l = wishing_literal(w, n->call.args[0]);
        return l == NULL ? NULL : negate(w->arena, l);
    }
    if (is_one_argument(n))
        return wishing_literal(w, n->call.args[0]);
    const struct wish_local *local = n->kind == NODE_IDENT ? wishing_find_local(w, n->ident) : NULL;
    const struct node *variable = local == NULL ? wishing_variable(w, n) : NULL;
    const struct node *value = local == NULL ? variable : local->node;
    if (value == NULL)
        return NULL;
    const struct wishing other = within(w, local == NULL ? NULL : local->scope);
    return wishing_literal(&other, value);
}

const struct node *wishing_list(const struct wishing *w, const struct node *n)
{
    const struct node *variable = wishing_variable(w, n);
    arena_step(w->arena);
    if (n->kind == NODE_LIST)
        return n;
    if (variable == NULL || w->depth > WISH_DEPTH)
        return NULL;
    const struct wishing other = within(w, NULL);
    return wishing_list(&other, variable);
}

/* ---- samples ---- */

static struct sample *resolve_ident(struct wishing *w, const struct node *n)
{
    const struct wish_local *local = wishing_find_local(w, n->ident);
    if (local == NULL)
        return probe_root(w->probe, ast_name(n));
    if (local->sample != NULL || local->node == NULL)
        return local->sample;
    struct wishing other = within(w, local->scope);
    return wishing_resolve(&other, local->node);
}

static struct sample *resolve_selection(struct wishing *w, const struct node *n)
{
    const struct node *variable = wishing_variable(w, n);
    if (variable != NULL) {
        struct wishing other = within(w, NULL);
        return wishing_resolve(&other, variable);
    }
    struct sample *operand = wishing_resolve(w, selection_operand(n));
    struct str field;
    if (operand == NULL)
        return NULL;
    if (field_of(w, n, &field))
        return sample_field(w->arena, operand, field);
    if (n->kind == NODE_SELECT)
        return NULL;
    const struct literal *index = wishing_literal(w, n->call.args[1]);
    if (index != NULL)
        return index->kind == LITERAL_INT && index->integer >= 0
                   ? sample_item(w->arena, operand, (size_t)index->integer)
                   : NULL;
    const struct sample *key = wishing_resolve(w, n->call.args[1]);
    return key == NULL || key->kind != SAMPLE_STRING ? NULL : sample_field(w->arena, operand, key->text);
}

/* The sample that stands for the result of a call: that of its first operand, of which most results differ
 * little. */
static struct sample *resolve_call(struct wishing *w, const struct node *n)
{
    if (n->op == AST_CONDITIONAL) {
        bool truth = choices_take(w->choices, 2) == 0;
        wishing_be(w, n->call.args[0], truth);
        return wishing_resolve(w, n->call.args[truth ? 1 : 2]);
    }
    if (n->op == AST_ADD) {
        struct sample *first = wishing_resolve(w, n->call.args[0]);
        bool is_second = first == NULL || choices_take(w->choices, 2) == 1;
        return is_second ? wishing_resolve(w, n->call.args[1]) : first;
    }
    if (n->op != AST_FUNCTION)
        return NULL;
    if (n->call.target != NULL)
        return wishing_resolve(w, n->call.target);
    return n->arg_count > 0 ? wishing_resolve(w, n->call.args[0]) : NULL;
}

static bool is_bound_once(const struct comprehension *c)
{
    return c->range->kind == NODE_LIST && c->range->list.count == 0;
}

static struct sample *resolve_comprehension(struct wishing *w, const struct comprehension *c)
{
    if (!is_bound_once(c))
        return wishing_resolve(w, c->range);
    struct wishing other = within(w, wishing_bind_result(w, c));
    return wishing_resolve(&other, c->result);
}

struct sample *wishing_resolve(struct wishing *w, const struct node *n)
{
    struct sample *found = NULL;
    arena_step(w->arena);
    if (++w->depth > WISH_DEPTH) {
        w->depth--;
        return NULL;
    }
    if (n->kind == NODE_IDENT)
        found = resolve_ident(w, n);
    else if (selection_operand(n) != NULL)
        found = resolve_selection(w, n);
    else if (n->kind == NODE_CALL)
        found = resolve_call(w, n);
    else if (n->kind == NODE_COMPREHENSION)
        found = resolve_comprehension(w, n->comprehension);
    w->depth--;
    return found;
}

void wishing_be_there(struct wishing *w, const struct node *n, bool is_there)
{
    struct str field;
    if (is_there) {
        (void)wishing_resolve(w, n);
        return;
    }
    const struct node *variable = wishing_variable(w, n);
    if (variable != NULL && w->depth < WISH_DEPTH) {
        struct wishing other = within(w, NULL);
        wishing_be_there(&other, variable, false);
        return;
    }
    if (n->kind == NODE_CALL && n->op == AST_FUNCTION && n->call.target != NULL) {
        wishing_be_there(w, n->call.target, false);
        return;
    }
    struct sample *operand = selection_operand(n) == NULL ? NULL : wishing_resolve(w, selection_operand(n));
    const struct sample *part =
        operand == NULL || !field_of(w, n, &field) ? NULL : sample_find(operand, field);
    if (part != NULL && !sample_remove(operand, part) && selection_operand(selection_operand(n)) != NULL)
        wishing_be_there(w, selection_operand(n), false); /* if it is optional */
}

/* ---- values ---- */

bool wishing_set(struct wishing *w, struct sample *s, const struct literal *value)
{
    switch (value->kind) {
    case LITERAL_NULL:
        return sample_set_null(s);
    case LITERAL_BOOL:
        return sample_set_bool(s, value->boolean) ||
               sample_set_string(s, value->boolean ? STR("true") : STR("false"));
    case LITERAL_INT:
    case LITERAL_UINT:
        return sample_set_int(w->arena, s, value->integer) ||
               sample_set_string(s, str_format(w->arena, "%lld", (long long)value->integer));
    case LITERAL_DOUBLE:
        return sample_set_double(w->arena, s, value->floating);
    case LITERAL_STRING:
    case LITERAL_BYTES:
        return sample_set_string(s, value->bytes);
    }
    return false;
}

bool wishing_set_other(struct wishing *w, struct sample *s, const struct literal *value)
{
    struct literal other = *value;
    switch (value->kind) {
    case LITERAL_NULL:
        if (s->kind == SAMPLE_NULL)
            sample_reset(w->arena, s);
        return true;
    case LITERAL_BOOL:
        other.boolean = !value->boolean;
        break;
    case LITERAL_INT:
    case LITERAL_UINT:
        other.integer = value->integer == INT64_MAX ? 0 : value->integer + 1;
        break;
    case LITERAL_DOUBLE:
        other.floating = value->floating + 1;
        break;
    case LITERAL_STRING:
    case LITERAL_BYTES:
        return sample_set_other(s, value->bytes, str_eq(value->bytes, STR("b")) ? STR("c") : STR("b"));
    }
    return wishing_set(w, s, &other);
}

/* ---- macros ---- */

/* An item of a range: a sample or, if that is NULL, the value of a node; an item of a map has a key, too. */
struct item {
    struct sample *key, *value;
    const struct node *node;
    const struct wish_local *scope;
};

static bool find_item(struct wishing *w, const struct node *range, struct item *out);

static struct wish_local *new_local(struct wishing *w, const struct wish_local *outer, struct str name)
{
    struct wish_local *l = ARENA_NEW(w->arena, struct wish_local);
    l->outer = outer;
    l->name = name;
    return l;
}

/* The value that a collecting macro appends for an item: the item itself, or a value made of it. */
static bool find_collected(struct wishing *w, const struct comprehension *c, struct item *out)
{
    const struct node *step = c->step;
    struct wishing other = within(w, wishing_bind(w, c));
    if (other.locals == NULL)
        return false;
    if (step->kind == NODE_CALL && step->op == AST_CONDITIONAL) {
        wishing_be(&other, step->call.args[0], true);
        step = step->call.args[1];
    }
    bool is_append = step->kind == NODE_CALL && step->op == AST_ADD &&
                     step->call.args[1]->kind == NODE_LIST && step->call.args[1]->list.count == 1;
    if (!is_append)
        return false;
    *out = (struct item){.node = step->call.args[1]->list.elements[0], .scope = other.locals};
    return true;
}

static bool find_in_node(struct wishing *w, const struct node *range, struct item *out)
{
    if (range->kind == NODE_LIST) {
        *out = (struct item){.scope = w->locals};
        if (range->list.count != 0)
            out->node = range->list.elements[choices_take(w->choices, range->list.count)];
        return range->list.count != 0;
    }
    if (range->kind == NODE_COMPREHENSION && !is_bound_once(range->comprehension))
        return find_collected(w, range->comprehension, out);
    if (range->kind == NODE_COMPREHENSION) {
        struct wishing other = within(w, wishing_bind_result(w, range->comprehension));
        return find_item(&other, range->comprehension->result, out);
    }
    if (range->kind == NODE_CALL && (range->op == AST_ADD || range->op == AST_CONDITIONAL)) {
        const size_t first = range->op == AST_ADD ? 0 : 1, side = choices_take(w->choices, 2);
        if (range->op == AST_CONDITIONAL)
            wishing_be(w, range->call.args[0], side == 0);
        return find_item(w, range->call.args[first + side], out) ||
               find_item(w, range->call.args[first + 1 - side], out);
    }
    return false;
}

static bool find_in_sample(struct wishing *w, struct sample *range, struct item *out)
{
    if (range == NULL)
        return false;
    if (range->kind == SAMPLE_MAP && (range->first != NULL || sample_resize(w->arena, range, 1))) {
        const size_t count = sample_count(range);
        struct sample *member = range->first;
        for (size_t i = choices_take(w->choices, count); i > 0; i--)
            member = member->next;
        struct sample *key = sample_new_string(w->arena, member->key);
        key->names = member;
        *out = (struct item){.key = key, .value = member};
        return true;
    }
    *out = (struct item){.value = sample_item(w->arena, range, 0)};
    return out->value != NULL;
}

static bool find_item(struct wishing *w, const struct node *range, struct item *out)
{
    const struct node *variable = wishing_variable(w, range);
    arena_step(w->arena);
    if (w->depth > WISH_DEPTH)
        return false;
    if (variable != NULL) {
        struct wishing other = within(w, NULL);
        return find_item(&other, variable, out);
    }
    const struct wish_local *local = range->kind == NODE_IDENT ? wishing_find_local(w, range->ident) : NULL;
    if (local != NULL && local->sample == NULL && local->node != NULL) {
        struct wishing other = within(w, local->scope);
        return find_item(&other, local->node, out);
    }
    return find_in_node(w, range, out) || find_in_sample(w, wishing_resolve(w, range), out);
}

const struct wish_local *wishing_bind(struct wishing *w, const struct comprehension *c)
{
    struct item item;
    if (is_bound_once(c) || !find_item(w, c->range, &item))
        return NULL;
    const bool has_two = c->iter_var2.len != 0, is_map = item.key != NULL;
    struct wish_local *one = new_local(w, w->locals, c->iter_var);
    one->sample = is_map ? item.key : has_two ? NULL : item.value;
    one->node = has_two ? NULL : item.node;
    one->scope = item.scope;
    if (!has_two)
        return one;
    struct wish_local *two = new_local(w, one, c->iter_var2);
    two->sample = item.value;
    two->node = item.node;
    two->scope = item.scope;
    return two;
}

const struct wish_local *wishing_bind_result(struct wishing *w, const struct comprehension *c)
{
    struct wish_local *l = new_local(w, w->locals, c->accu_var);
    l->node = c->init;
    l->scope = w->locals;
    return l;
}

static bool is_literal_bool(const struct node *n, bool value)
{
    return n->kind == NODE_LITERAL && n->literal.kind == LITERAL_BOOL && n->literal.boolean == value;
}

const struct node *wishing_predicate(const struct comprehension *c, bool *is_all)
{
    const struct node *step = c->step;
    if (step->kind != NODE_CALL || (step->op != AST_AND && step->op != AST_OR))
        return NULL;
    *is_all = step->op == AST_AND;
    return is_literal_bool(c->init, *is_all) ? step->call.args[1] : NULL;
}
