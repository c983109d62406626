/* wishing_be(): makes a condition of an expression true or false. */
#include "typecheck/base/arena.h"
#include "typecheck/policy/author/witness/wishing.h"

static const struct literal TRUE = {.kind = LITERAL_BOOL, .boolean = true};
static const struct literal FALSE = {.kind = LITERAL_BOOL, .boolean = false};

/* More than any quantity that is compared, and less. */
#define MUCH   STR("1Ei")
#define LITTLE STR("0")

/* ---- comparisons ---- */

static bool is_size(const struct node *n)
{
    return n->kind == NODE_CALL && n->op == AST_FUNCTION && str_eq(n->call.function, STR("size"));
}

static bool set_size(struct wishing *w, struct sample *s, int64_t size)
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
static void set_number(struct wishing *w, const struct node *n, const struct literal *value)
{
    struct sample *s = wishing_resolve(w, is_size(n) && n->call.target == NULL ? n->call.args[0] : n);
    if (s == NULL)
        return;
    if (is_size(n))
        (void)set_size(w, s, value->kind == LITERAL_INT ? value->integer : 0);
    else
        (void)wishing_set(w, s, value);
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

static void be_ordered(struct wishing *w, const struct node *n, bool truth)
{
    const struct literal *left = wishing_literal(w, n->call.args[0]),
                         *right = wishing_literal(w, n->call.args[1]);
    const struct node *side = n->call.args[right != NULL ? 0 : 1];
    const struct literal *value = right != NULL ? right : left;
    if (value == NULL)
        return;
    int by = difference(right != NULL ? n->op : mirrored(n->op), truth);
    const struct literal wanted = moved(value, by);
    if (is_quantity_order(side)) {
        struct sample *s = wishing_resolve(w, side->call.target);
        if (s != NULL)
            (void)sample_set_string(s, wanted.integer > 0 ? MUCH : LITTLE);
        return;
    }
    set_number(w, side, &wanted);
}

/* ---- equality ---- */

static void be_equal_samples(struct wishing *w, struct sample *left, struct sample *right, bool truth)
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
static void write_out(struct wishing *w, struct sample *s, const struct node *n)
{
    const struct literal *value = wishing_literal(w, n);
    arena_step(w->arena);
    if (value != NULL)
        (void)wishing_set(w, s, value);
    if (n->kind == NODE_LIST) {
        (void)sample_resize(w->arena, s, n->list.count);
        for (size_t i = 0; i < n->list.count; i++) {
            struct sample *item = sample_item(w->arena, s, i);
            if (item != NULL)
                write_out(w, item, n->list.elements[i]);
        }
    }
    for (size_t i = 0; n->kind == NODE_MAP && i < n->map.count; i++) {
        const struct literal *key = wishing_literal(w, n->map.entries[i].key);
        struct sample *member =
            key == NULL || key->kind != LITERAL_STRING ? NULL : sample_field(w->arena, s, key->bytes);
        if (member != NULL)
            write_out(w, member, n->map.entries[i].value);
    }
}

static void be_equal(struct wishing *w, const struct node *n, bool truth)
{
    const struct node *left = n->call.args[0], *right = n->call.args[1];
    const struct literal *value = wishing_literal(w, right);
    if (value == NULL) {
        value = wishing_literal(w, left);
        left = value == NULL ? left : right;
    }
    if (value == NULL && (is_written_out(left) || is_written_out(right))) {
        struct sample *s = wishing_resolve(w, is_written_out(right) ? left : right);
        if (s != NULL && truth)
            write_out(w, s, is_written_out(right) ? right : left);
        return;
    }
    if (value == NULL) {
        struct sample *one = wishing_resolve(w, left), *other = wishing_resolve(w, right);
        be_equal_samples(w, one, other, truth);
        return;
    }
    if (value->kind == LITERAL_BOOL && (left->kind == NODE_CALL || left->kind == NODE_COMPREHENSION)) {
        wishing_be(w, left, value->boolean == truth);
        return;
    }
    const struct literal other = moved(value, 1);
    if (is_size(left)) {
        set_number(w, left, truth ? value : &other);
        return;
    }
    struct sample *s = wishing_resolve(w, left);
    if (s != NULL && truth)
        (void)wishing_set(w, s, value);
    else if (s != NULL)
        (void)wishing_set_other(w, s, value);
}

static void be_in_list(struct wishing *w, const struct node *item, const struct node *list, bool truth)
{
    struct sample *s = wishing_resolve(w, item);
    if (s == NULL || list->list.count == 0)
        return;
    const struct node *chosen = list->list.elements[choices_take(w->choices, list->list.count)];
    const struct literal *value = wishing_literal(w, chosen);
    if (value != NULL && truth)
        (void)wishing_set(w, s, value);
    else if (value != NULL)
        (void)wishing_set_other(w, s, value);
}

static void be_in(struct wishing *w, const struct node *n, bool truth)
{
    const struct node *item = n->call.args[0], *list = wishing_list(w, n->call.args[1]);
    const struct literal *value = wishing_literal(w, item);
    if (list != NULL) {
        be_in_list(w, item, list, truth);
        return;
    }
    struct sample *s = wishing_resolve(w, n->call.args[1]);
    const struct sample *key = value == NULL ? wishing_resolve(w, item) : NULL;
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

/* ---- macros and calls ---- */

static void be_comprehension(struct wishing *w, const struct comprehension *c, bool truth)
{
    bool is_all;
    const struct node *predicate = wishing_predicate(c, &is_all);
    struct sample *range = predicate == NULL ? NULL : wishing_resolve(w, c->range);
    /* of no items all() is true, and exists() false */
    if (range != NULL && is_all == truth && choices_take(w->choices, 2) == 0 &&
        sample_resize(w->arena, range, 0))
        return;
    struct wishing within = *w;
    within.locals = wishing_bind(w, c);
    if (within.locals == NULL)
        return;
    if (predicate != NULL)
        wishing_be(&within, predicate, truth);
    else if (c->step->kind == NODE_CALL && c->step->op == AST_CONDITIONAL)
        wishing_be(&within, c->step->call.args[0], truth); /* exists_one() */
}

/* A string that the call is true for, if it is one that can be guessed. */
static void be_text(struct wishing *w, struct sample *s, const struct node *n, bool truth)
{
    const struct literal *arg = n->arg_count == 0 ? NULL : wishing_literal(w, n->call.args[0]);
    const size_t count = w->policy->text_count;
    if (arg != NULL && arg->kind == LITERAL_STRING && !str_eq(n->call.function, STR("matches"))) {
        if (truth)
            (void)sample_set_string(s, arg->bytes);
        else
            (void)wishing_set_other(w, s, arg);
        return;
    }
    const unsigned choice = choices_take(w->choices, count + 1);
    if (choice > 0)
        (void)sample_set_string(s, w->policy->texts[choice - 1]);
}

static void be_call(struct wishing *w, const struct node *n, bool truth)
{
    const struct node *target = n->call.target;
    if (target == NULL && n->arg_count == 0)
        return;
    if (target != NULL && str_eq(n->call.function, STR("hasValue"))) {
        wishing_be_there(w, target, truth);
        return;
    }
    struct sample *s = wishing_resolve(w, target != NULL ? target : n->call.args[0]);
    if (s == NULL)
        return;
    if (str_eq(n->call.function, STR("isGreaterThan")) || str_eq(n->call.function, STR("isLessThan")))
        (void)sample_set_string(s, str_eq(n->call.function, STR("isGreaterThan")) == truth ? MUCH : LITTLE);
    else if (s->kind == SAMPLE_BOOL)
        (void)sample_set_bool(s, truth);
    else
        be_text(w, s, n, truth);
}

/* ---- operators ---- */

static void be_logical(struct wishing *w, const struct node *n, bool truth)
{
    const bool is_and = n->op == AST_AND;
    if (is_and == truth) { /* both */
        wishing_be(w, n->call.args[0], truth);
        wishing_be(w, n->call.args[1], truth);
        return;
    }
    wishing_be(w, n->call.args[choices_take(w->choices, 2)], truth);
}

static void be_operation(struct wishing *w, const struct node *n, bool truth)
{
    switch (n->op) {
    case AST_NOT:
        wishing_be(w, n->call.args[0], !truth);
        return;
    case AST_AND:
    case AST_OR:
        be_logical(w, n, truth);
        return;
    case AST_CONDITIONAL: {
        const bool branch = choices_take(w->choices, 2) == 0;
        wishing_be(w, n->call.args[0], branch);
        wishing_be(w, n->call.args[branch ? 1 : 2], truth);
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
    struct sample *s = wishing_resolve(w, n);
    if (s != NULL)
        (void)wishing_set(w, s, truth ? &TRUE : &FALSE);
}

static void be_kind(struct wishing *w, const struct node *n, bool truth)
{
    const struct node *variable = wishing_variable(w, n);
    const struct wish_local *local = n->kind == NODE_IDENT ? wishing_find_local(w, n->ident) : NULL;
    const struct node *value = variable != NULL ? variable : local == NULL ? NULL : local->node;
    if (value != NULL) {
        struct wishing within = *w;
        within.locals = local == NULL ? NULL : local->scope;
        wishing_be(&within, value, truth);
    } else if (n->kind == NODE_SELECT && n->select.test_only) {
        wishing_be_there(w, n, truth);
    } else if (n->kind == NODE_CALL) {
        be_operation(w, n, truth);
    } else if (n->kind == NODE_COMPREHENSION) {
        be_comprehension(w, n->comprehension, truth);
    } else {
        struct sample *s = wishing_resolve(w, n);
        if (s != NULL)
            (void)wishing_set(w, s, truth ? &TRUE : &FALSE);
    }
}

void wishing_be(struct wishing *w, const struct node *n, bool truth)
{
    arena_step(w->arena);
    if (++w->depth <= WISH_DEPTH)
        be_kind(w, n, truth);
    w->depth--;
}
