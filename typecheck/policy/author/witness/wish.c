#include "typecheck/policy/author/witness/wish.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/schema/property_name.h"
#include "typecheck/cel/syntax/selection.h"

static const struct literal TRUE = {.kind = LITERAL_BOOL, .boolean = true};
static const struct literal FALSE = {.kind = LITERAL_BOOL, .boolean = false};

/* More than any quantity that is compared, and less. */
#define MUCH   STR("1Ei")
#define LITTLE STR("0")

/* ---- names ---- */

static const struct wish_local *find_local(const struct wish *w, struct str name)
{
    const struct wish_local *l = w->locals;
    while (l != NULL && !str_eq(l->name, name))
        l = l->outer;
    return l;
}

static bool is_variables(const struct wish *w, const struct node *n)
{
    return n->kind == NODE_IDENT && str_eq(ast_name(n), STR("variables")) && find_local(w, n->ident) == NULL;
}

/* Sets *out to the name that a selection asks for; returns false if the node is not a selection, or its name
 * is not constant. */
static bool field_of(const struct wish *w, const struct node *n, struct str *out)
{
    if (n->kind == NODE_SELECT) {
        *out = n->select.field;
        return true;
    }
    const struct literal *key = wish_literal(w, n->call.args[1]);
    if (key == NULL || key->kind != LITERAL_STRING)
        return false;
    *out = key->bytes;
    return true;
}

/* A variable hides those of its name before it. */
const struct node *wish_variable(const struct wish *w, const struct node *n)
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
static struct wish within(const struct wish *w, const struct wish_local *locals)
{
    struct wish other = *w;
    other.locals = locals;
    other.depth++;
    return other;
}

const struct literal *wish_literal(const struct wish *w, const struct node *n)
{
    arena_step(w->arena);
    if (w->depth > WISH_DEPTH)
        return NULL;
    if (n->kind == NODE_LITERAL)
        return &n->literal;
    if (n->kind == NODE_CALL && n->op == AST_NEGATE) {
        const struct literal *l = wish_literal(w, n->call.args[0]);
        return l == NULL ? NULL : negate(w->arena, l);
    }
    if (is_one_argument(n))
        return wish_literal(w, n->call.args[0]);
    const struct wish_local *local = n->kind == NODE_IDENT ? find_local(w, n->ident) : NULL;
    const struct node *variable = local == NULL ? wish_variable(w, n) : NULL;
    const struct node *value = local == NULL ? variable : local->node;
    if (value == NULL)
        return NULL;
    const struct wish other = within(w, local == NULL ? NULL : local->scope);
    return wish_literal(&other, value);
}

static const struct node *find_list(const struct wish *w, const struct node *n)
{
    const struct node *variable = wish_variable(w, n);
    arena_step(w->arena);
    if (n->kind == NODE_LIST)
        return n;
    if (variable == NULL || w->depth > WISH_DEPTH)
        return NULL;
    const struct wish other = within(w, NULL);
    return find_list(&other, variable);
}

/* ---- values ---- */

static bool set_value(struct wish *w, struct sample *s, const struct literal *value)
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

static bool set_other(struct wish *w, struct sample *s, const struct literal *value)
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
    return set_value(w, s, &other);
}

/* ---- samples ---- */

static struct sample *resolve_ident(struct wish *w, const struct node *n)
{
    const struct wish_local *local = find_local(w, n->ident);
    if (local == NULL)
        return probe_root(w->probe, ast_name(n));
    if (local->sample != NULL || local->node == NULL)
        return local->sample;
    struct wish other = within(w, local->scope);
    return wish_resolve(&other, local->node);
}

static struct sample *resolve_selection(struct wish *w, const struct node *n)
{
    const struct node *variable = wish_variable(w, n);
    if (variable != NULL) {
        struct wish other = within(w, NULL);
        return wish_resolve(&other, variable);
    }
    struct sample *operand = wish_resolve(w, selection_operand(n));
    struct str field;
    if (operand == NULL)
        return NULL;
    if (field_of(w, n, &field))
        return sample_field(w->arena, operand, field);
    if (n->kind == NODE_SELECT)
        return NULL;
    const struct literal *index = wish_literal(w, n->call.args[1]);
    if (index != NULL)
        return index->kind == LITERAL_INT && index->integer >= 0
                   ? sample_item(w->arena, operand, (size_t)index->integer)
                   : NULL;
    const struct sample *key = wish_resolve(w, n->call.args[1]);
    return key == NULL || key->kind != SAMPLE_STRING ? NULL : sample_field(w->arena, operand, key->text);
}

/* The sample that stands for the result of a call: that of its first operand, of which most results differ
 * little. */
static struct sample *resolve_call(struct wish *w, const struct node *n)
{
    if (n->op == AST_CONDITIONAL) {
        bool truth = choices_take(w->choices, 2) == 0;
        wish_be(w, n->call.args[0], truth);
        return wish_resolve(w, n->call.args[truth ? 1 : 2]);
    }
    if (n->op == AST_ADD) {
        struct sample *first = wish_resolve(w, n->call.args[0]);
        bool is_second = first == NULL || choices_take(w->choices, 2) == 1;
        return is_second ? wish_resolve(w, n->call.args[1]) : first;
    }
    if (n->op != AST_FUNCTION)
        return NULL;
    if (n->call.target != NULL)
        return wish_resolve(w, n->call.target);
    return n->arg_count > 0 ? wish_resolve(w, n->call.args[0]) : NULL;
}

static bool is_bound_once(const struct comprehension *c)
{
    return c->range->kind == NODE_LIST && c->range->list.count == 0;
}

static struct sample *resolve_comprehension(struct wish *w, const struct comprehension *c)
{
    if (!is_bound_once(c))
        return wish_resolve(w, c->range);
    struct wish other = within(w, wish_bind_result(w, c));
    return wish_resolve(&other, c->result);
}

struct sample *wish_resolve(struct wish *w, const struct node *n)
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

static void be_there(struct wish *w, const struct node *n, bool is_there)
{
    struct str field;
    if (is_there) {
        (void)wish_resolve(w, n);
        return;
    }
    const struct node *variable = wish_variable(w, n);
    if (variable != NULL && w->depth < WISH_DEPTH) {
        struct wish other = within(w, NULL);
        be_there(&other, variable, false);
        return;
    }
    if (n->kind == NODE_CALL && n->op == AST_FUNCTION && n->call.target != NULL) {
        be_there(w, n->call.target, false);
        return;
    }
    struct sample *operand = selection_operand(n) == NULL ? NULL : wish_resolve(w, selection_operand(n));
    const struct sample *part =
        operand == NULL || !field_of(w, n, &field) ? NULL : sample_find(operand, field);
    if (part != NULL && !sample_remove(operand, part) && selection_operand(selection_operand(n)) != NULL)
        be_there(w, selection_operand(n), false); /* if it is optional */
}

/* ---- items of macros ---- */

/* An item of a range: a sample or, if that is NULL, the value of a node; an item of a map has a key, too. */
struct item {
    struct sample *key, *value;
    const struct node *node;
    const struct wish_local *scope;
};

static bool find_item(struct wish *w, const struct node *range, struct item *out);

static struct wish_local *new_local(struct wish *w, const struct wish_local *outer, struct str name)
{
    struct wish_local *l = ARENA_NEW(w->arena, struct wish_local);
    l->outer = outer;
    l->name = name;
    return l;
}

/* The value that a collecting macro appends for an item: the item itself, or a value made of it. */
static bool find_collected(struct wish *w, const struct comprehension *c, struct item *out)
{
    const struct node *step = c->step;
    struct wish other = within(w, wish_bind(w, c));
    if (other.locals == NULL)
        return false;
    if (step->kind == NODE_CALL && step->op == AST_CONDITIONAL) {
        wish_be(&other, step->call.args[0], true);
        step = step->call.args[1];
    }
    bool is_append = step->kind == NODE_CALL && step->op == AST_ADD &&
                     step->call.args[1]->kind == NODE_LIST && step->call.args[1]->list.count == 1;
    if (!is_append)
        return false;
    *out = (struct item){.node = step->call.args[1]->list.elements[0], .scope = other.locals};
    return true;
}

static bool find_in_node(struct wish *w, const struct node *range, struct item *out)
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
        struct wish other = within(w, wish_bind_result(w, range->comprehension));
        return find_item(&other, range->comprehension->result, out);
    }
    if (range->kind == NODE_CALL && (range->op == AST_ADD || range->op == AST_CONDITIONAL)) {
        const size_t first = range->op == AST_ADD ? 0 : 1, side = choices_take(w->choices, 2);
        if (range->op == AST_CONDITIONAL)
            wish_be(w, range->call.args[0], side == 0);
        return find_item(w, range->call.args[first + side], out) ||
               find_item(w, range->call.args[first + 1 - side], out);
    }
    return false;
}

static bool find_in_sample(struct wish *w, struct sample *range, struct item *out)
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

static bool find_item(struct wish *w, const struct node *range, struct item *out)
{
    const struct node *variable = wish_variable(w, range);
    arena_step(w->arena);
    if (w->depth > WISH_DEPTH)
        return false;
    if (variable != NULL) {
        struct wish other = within(w, NULL);
        return find_item(&other, variable, out);
    }
    const struct wish_local *local = range->kind == NODE_IDENT ? find_local(w, range->ident) : NULL;
    if (local != NULL && local->sample == NULL && local->node != NULL) {
        struct wish other = within(w, local->scope);
        return find_item(&other, local->node, out);
    }
    return find_in_node(w, range, out) || find_in_sample(w, wish_resolve(w, range), out);
}

const struct wish_local *wish_bind(struct wish *w, const struct comprehension *c)
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

const struct wish_local *wish_bind_result(struct wish *w, const struct comprehension *c)
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

static const struct node *find_predicate(const struct comprehension *c, bool *is_all)
{
    const struct node *step = c->step;
    if (step->kind != NODE_CALL || (step->op != AST_AND && step->op != AST_OR))
        return NULL;
    *is_all = step->op == AST_AND;
    return is_literal_bool(c->init, *is_all) ? step->call.args[1] : NULL;
}

/* ---- conditions: comparisons ---- */

static bool is_size(const struct node *n)
{
    return n->kind == NODE_CALL && n->op == AST_FUNCTION && str_eq(n->call.function, STR("size"));
}

static bool set_size(struct wish *w, struct sample *s, int64_t size)
{
    enum { LONGEST = 64 * 1024 };
    if (size < 0 || s == NULL)
        return false;
    if (s->kind != SAMPLE_STRING)
        return sample_resize(w->arena, s, (size_t)size);
    struct text t = {.arena = w->arena};
    for (int64_t i = 0; i < size && i < LONGEST; i++)
        text_add_char(&t, 'a');
    return sample_set_string(s, text_str(&t));
}

/* The value, or the size, of a node. */
static void set_number(struct wish *w, const struct node *n, const struct literal *value)
{
    struct sample *s = wish_resolve(w, is_size(n) && n->call.target == NULL ? n->call.args[0] : n);
    if (s == NULL)
        return;
    if (is_size(n))
        (void)set_size(w, s, value->kind == LITERAL_INT ? value->integer : 0);
    else
        (void)set_value(w, s, value);
}

static struct literal moved(const struct literal *l, int by)
{
    struct literal m = *l;
    if (l->kind == LITERAL_DOUBLE)
        m.floating += by;
    else if (l->kind == LITERAL_INT || l->kind == LITERAL_UINT)
        m.integer = (int64_t)((uint64_t)l->integer + (uint64_t)(int64_t)by);
    return m;
}

static enum ast_operator mirrored(enum ast_operator op)
{
    switch ((unsigned)op) {
    case AST_LESS:
        return AST_GREATER;
    case AST_LESS_EQUALS:
        return AST_GREATER_EQUALS;
    case AST_GREATER:
        return AST_LESS;
    case AST_GREATER_EQUALS:
        return AST_LESS_EQUALS;
    }
    return op;
}

/* The difference that a number is to have from the one that it is compared with. */
static int difference(enum ast_operator op, bool truth)
{
    switch ((unsigned)op) {
    case AST_LESS:
        return truth ? -1 : 0;
    case AST_LESS_EQUALS:
        return truth ? 0 : 1;
    case AST_GREATER:
        return truth ? 1 : 0;
    case AST_GREATER_EQUALS:
        return truth ? 0 : -1;
    }
    return 0;
}

static bool is_quantity_order(const struct node *n)
{
    return n->kind == NODE_CALL && n->op == AST_FUNCTION && n->call.target != NULL &&
           str_eq(n->call.function, STR("compareTo"));
}

static void be_ordered(struct wish *w, const struct node *n, bool truth)
{
    const struct literal *left = wish_literal(w, n->call.args[0]), *right = wish_literal(w, n->call.args[1]);
    const struct node *side = n->call.args[right != NULL ? 0 : 1];
    const struct literal *value = right != NULL ? right : left;
    if (value == NULL)
        return;
    int by = difference(right != NULL ? n->op : mirrored(n->op), truth);
    const struct literal wanted = moved(value, by);
    if (is_quantity_order(side)) {
        struct sample *s = wish_resolve(w, side->call.target);
        if (s != NULL)
            (void)sample_set_string(s, wanted.integer > 0 ? MUCH : LITTLE);
        return;
    }
    set_number(w, side, &wanted);
}

/* ---- conditions: equality ---- */

static void be_equal_samples(struct wish *w, struct sample *left, struct sample *right, bool truth)
{
    if (left == NULL || right == NULL || left->is_said)
        return;
    if (truth) {
        const struct sample *copy = sample_copy(w->arena, right);
        left->kind = copy->kind;
        left->text = copy->text;
        left->first = copy->first;
    } else if (left->kind == SAMPLE_STRING) {
        (void)sample_set_other(left, right->text, str_join(w->arena, STR_PARTS(right->text, STR("b"))));
    } else if (left->kind == SAMPLE_NUMBER) {
        (void)sample_set_int(w->arena, left, str_eq(right->text, STR("2")) ? 3 : 2);
    } else if (left->kind == SAMPLE_BOOL) {
        (void)sample_set_bool(left, str_eq(right->text, STR("false")));
    } else {
        (void)sample_resize(w->arena, left, sample_count(right) + 1);
    }
}

static bool is_written_out(const struct node *n)
{
    return n->kind == NODE_LIST || n->kind == NODE_MAP;
}

/* Makes of a sample what a list or map of constants is. */
static void write_out(struct wish *w, struct sample *s, const struct node *n)
{
    const struct literal *value = wish_literal(w, n);
    arena_step(w->arena);
    if (value != NULL)
        (void)set_value(w, s, value);
    if (n->kind == NODE_LIST) {
        (void)sample_resize(w->arena, s, n->list.count);
        for (size_t i = 0; i < n->list.count; i++) {
            struct sample *item = sample_item(w->arena, s, i);
            if (item != NULL)
                write_out(w, item, n->list.elements[i]);
        }
    }
    for (size_t i = 0; n->kind == NODE_MAP && i < n->map.count; i++) {
        const struct literal *key = wish_literal(w, n->map.entries[i].key);
        struct sample *member =
            key == NULL || key->kind != LITERAL_STRING ? NULL : sample_field(w->arena, s, key->bytes);
        if (member != NULL)
            write_out(w, member, n->map.entries[i].value);
    }
}

static void be_equal(struct wish *w, const struct node *n, bool truth)
{
    const struct node *left = n->call.args[0], *right = n->call.args[1];
    const struct literal *value = wish_literal(w, right);
    if (value == NULL) {
        value = wish_literal(w, left);
        left = value == NULL ? left : right;
    }
    if (value == NULL && (is_written_out(left) || is_written_out(right))) {
        struct sample *s = wish_resolve(w, is_written_out(right) ? left : right);
        if (s != NULL && truth)
            write_out(w, s, is_written_out(right) ? right : left);
        return;
    }
    if (value == NULL) {
        struct sample *one = wish_resolve(w, left), *other = wish_resolve(w, right);
        be_equal_samples(w, one, other, truth);
        return;
    }
    if (value->kind == LITERAL_BOOL && (left->kind == NODE_CALL || left->kind == NODE_COMPREHENSION)) {
        wish_be(w, left, value->boolean == truth);
        return;
    }
    const struct literal other = moved(value, 1);
    if (is_size(left)) {
        set_number(w, left, truth ? value : &other);
        return;
    }
    struct sample *s = wish_resolve(w, left);
    if (s != NULL && truth)
        (void)set_value(w, s, value);
    else if (s != NULL)
        (void)set_other(w, s, value);
}

static void be_in_list(struct wish *w, const struct node *item, const struct node *list, bool truth)
{
    struct sample *s = wish_resolve(w, item);
    if (s == NULL || list->list.count == 0)
        return;
    const struct node *chosen = list->list.elements[choices_take(w->choices, list->list.count)];
    const struct literal *value = wish_literal(w, chosen);
    if (value != NULL && truth)
        (void)set_value(w, s, value);
    else if (value != NULL)
        (void)set_other(w, s, value);
}

static void be_in(struct wish *w, const struct node *n, bool truth)
{
    const struct node *item = n->call.args[0], *list = find_list(w, n->call.args[1]);
    const struct literal *value = wish_literal(w, item);
    if (list != NULL) {
        be_in_list(w, item, list, truth);
        return;
    }
    struct sample *s = wish_resolve(w, n->call.args[1]);
    const struct sample *key = value == NULL ? wish_resolve(w, item) : NULL;
    struct str name = value != NULL && value->kind == LITERAL_STRING ? value->bytes
                      : key != NULL                                  ? key->text
                                                                     : STR("");
    if (s == NULL || name.len == 0)
        return;
    if (s->kind == SAMPLE_MAP && truth) {
        (void)sample_field(w->arena, s, name);
    } else if (s->kind == SAMPLE_MAP) {
        const struct sample *member = sample_find(s, name);
        if (member != NULL)
            (void)sample_remove(s, member);
    } else if (truth) {
        struct sample *first = sample_item(w->arena, s, 0);
        if (first != NULL)
            (void)sample_set_string(first, name);
    } else {
        (void)sample_resize(w->arena, s, 0);
    }
}

/* ---- conditions: macros and calls ---- */

static void be_comprehension(struct wish *w, const struct comprehension *c, bool truth)
{
    bool is_all;
    const struct node *predicate = find_predicate(c, &is_all);
    struct sample *range = predicate == NULL ? NULL : wish_resolve(w, c->range);
    /* of no items all() is true, and exists() false */
    if (range != NULL && is_all == truth && choices_take(w->choices, 2) == 0 &&
        sample_resize(w->arena, range, 0))
        return;
    struct wish other = *w;
    other.locals = wish_bind(w, c);
    if (other.locals == NULL)
        return;
    if (predicate != NULL)
        wish_be(&other, predicate, truth);
    else if (c->step->kind == NODE_CALL && c->step->op == AST_CONDITIONAL)
        wish_be(&other, c->step->call.args[0], truth); /* exists_one() */
}

/* A string that the call is true for, if it is one that can be guessed. */
static void be_text(struct wish *w, struct sample *s, const struct node *n, bool truth)
{
    const struct literal *arg = n->arg_count == 0 ? NULL : wish_literal(w, n->call.args[0]);
    const size_t count = w->policy->text_count;
    if (arg != NULL && arg->kind == LITERAL_STRING && !str_eq(n->call.function, STR("matches"))) {
        if (truth)
            (void)sample_set_string(s, arg->bytes);
        else
            (void)set_other(w, s, arg);
        return;
    }
    const unsigned choice = choices_take(w->choices, count + 1);
    if (choice > 0)
        (void)sample_set_string(s, w->policy->texts[choice - 1]);
}

static void be_call(struct wish *w, const struct node *n, bool truth)
{
    const struct node *target = n->call.target;
    if (target == NULL && n->arg_count == 0)
        return;
    if (target != NULL && str_eq(n->call.function, STR("hasValue"))) {
        be_there(w, target, truth);
        return;
    }
    struct sample *s = wish_resolve(w, target != NULL ? target : n->call.args[0]);
    if (s == NULL)
        return;
    if (str_eq(n->call.function, STR("isGreaterThan")) || str_eq(n->call.function, STR("isLessThan")))
        (void)sample_set_string(s, str_eq(n->call.function, STR("isGreaterThan")) == truth ? MUCH : LITTLE);
    else if (s->kind == SAMPLE_BOOL)
        (void)sample_set_bool(s, truth);
    else
        be_text(w, s, n, truth);
}

/* ---- conditions: operators ---- */

static void be_logical(struct wish *w, const struct node *n, bool truth)
{
    const bool is_and = n->op == AST_AND;
    if (is_and == truth) { /* both */
        wish_be(w, n->call.args[0], truth);
        wish_be(w, n->call.args[1], truth);
        return;
    }
    wish_be(w, n->call.args[choices_take(w->choices, 2)], truth);
}

static void be_operation(struct wish *w, const struct node *n, bool truth)
{
    switch (n->op) {
    case AST_NOT:
        wish_be(w, n->call.args[0], !truth);
        return;
    case AST_AND:
    case AST_OR:
        be_logical(w, n, truth);
        return;
    case AST_CONDITIONAL: {
        const bool branch = choices_take(w->choices, 2) == 0;
        wish_be(w, n->call.args[0], branch);
        wish_be(w, n->call.args[branch ? 1 : 2], truth);
        return;
    }
    case AST_EQUALS:
        be_equal(w, n, truth);
        return;
    case AST_NOT_EQUALS:
        be_equal(w, n, !truth);
        return;
    case AST_LESS:
    case AST_LESS_EQUALS:
    case AST_GREATER:
    case AST_GREATER_EQUALS:
        be_ordered(w, n, truth);
        return;
    case AST_IN:
        be_in(w, n, truth);
        return;
    case AST_FUNCTION:
        be_call(w, n, truth);
        return;
    default:
        break;
    }
    struct sample *s = wish_resolve(w, n);
    if (s != NULL)
        (void)set_value(w, s, truth ? &TRUE : &FALSE);
}

static void be_kind(struct wish *w, const struct node *n, bool truth)
{
    const struct node *variable = wish_variable(w, n);
    const struct wish_local *local = n->kind == NODE_IDENT ? find_local(w, n->ident) : NULL;
    const struct node *value = variable != NULL ? variable : local == NULL ? NULL : local->node;
    if (value != NULL) {
        struct wish other = *w;
        other.locals = local == NULL ? NULL : local->scope;
        wish_be(&other, value, truth);
    } else if (n->kind == NODE_SELECT && n->select.test_only) {
        be_there(w, n, truth);
    } else if (n->kind == NODE_CALL) {
        be_operation(w, n, truth);
    } else if (n->kind == NODE_COMPREHENSION) {
        be_comprehension(w, n->comprehension, truth);
    } else {
        struct sample *s = wish_resolve(w, n);
        if (s != NULL)
            (void)set_value(w, s, truth ? &TRUE : &FALSE);
    }
}

void wish_be(struct wish *w, const struct node *n, bool truth)
{
    arena_step(w->arena);
    if (++w->depth <= WISH_DEPTH)
        be_kind(w, n, truth);
    w->depth--;
}
