#include "typecheck/policy/run/policy_trace.h"

#include "typecheck/cel/interpreter/values/value.h"
#include "typecheck/cel/interpreter/values/value_text.h"
#include "typecheck/cel/syntax/ast.h"
#include "typecheck/cel/syntax/extent.h"
#include "typecheck/cel/syntax/selection.h"
#include "typecheck/policy/run/policy_run.h"

/* Limits of the arena of a policy's nodes, and of the arena and the work of one question. */
#define TRACE_ARENA_BYTES    ((size_t)256 * 1024 * 1024)
#define QUESTION_ARENA_BYTES ((size_t)64 * 1024 * 1024)
#define QUESTION_MAX_STEPS   ((uint64_t)20 * 1000 * 1000)

enum { PLACES = POLICY_JSON_PATCH + 1, FIRST_BRANCHES = 16 };

/* No node stands there. */
#define NOWHERE UINT32_MAX

/* The results of a node in all requests so far. */
enum { NODE_REACHED = 1, NODE_TRUE = 2, NODE_FALSE = 4 };

/* A node of the tree, by its id. */
struct seen {
    const struct value *last; /* in `request` */
    uint64_t moment,
        before; /* of that, and of the time before; counted over all nodes and requests, from 1 */
    uint32_t request;
    uint8_t ever;
};

struct traced {
    struct policy_run_expression expression; /* ast NULL: there is none that compiles */
    struct seen *nodes;
    bool is_reached; /* by any request */
};

struct policy_trace {
    struct arena arena; /* holds this */
    struct policy_run_observer observer;
    struct traced *places[PLACES];
    size_t counts[PLACES];
    uint64_t moment;
    uint32_t request;
};

/* ---- watching ---- */

static struct traced *find(const struct policy_trace *t, struct policy_run_at at)
{
    return at.index < t->counts[at.place] ? &t->places[at.place][at.index] : NULL;
}

static void see(void *user, struct policy_run_at at, uint32_t node, const struct value *value)
{
    struct policy_trace *t = user;
    struct traced *x = find(t, at);
    if (x == NULL || x->expression.ast == NULL || node > x->expression.ast->max_id)
        return;
    struct seen *seen = &x->nodes[node];
    x->is_reached = true;
    seen->last = value;
    seen->request = t->request;
    seen->before = seen->moment;
    seen->moment = ++t->moment;
    seen->ever |= NODE_REACHED;
    if (value->kind == VALUE_BOOL)
        seen->ever |= value->boolean ? NODE_TRUE : NODE_FALSE;
}

static void end(void *user, struct policy_run_at at, const struct value *value, struct str error)
{
    (void)user, (void)at, (void)value, (void)error;
}

static void unapplied(void *user, struct policy_run_at at, struct str error, const struct error_names *names)
{
    (void)user, (void)at, (void)error, (void)names;
}

static void add_place(struct policy_trace *t, const struct policy_run *run, enum policy_place place)
{
    struct policy_run_expression e;
    size_t count = 0;
    while (policy_run_expression(run, (struct policy_run_at){place, count}, &e)) {
        arena_step(&t->arena);
        count++;
    }
    t->places[place] = ARENA_ARRAY(&t->arena, count, struct traced);
    t->counts[place] = count;
    for (size_t i = 0; i < count; i++) {
        struct traced *x = &t->places[place][i];
        (void)policy_run_expression(run, (struct policy_run_at){place, i}, &x->expression);
        if (x->expression.ast != NULL)
            x->nodes = ARENA_ARRAY(&t->arena, (size_t)x->expression.ast->max_id + 1, struct seen);
    }
}

struct policy_trace *policy_trace_new(const struct policy_run *run)
{
    struct arena a;
    struct policy_trace *t = arena_init_holder(&a, TRACE_ARENA_BYTES, sizeof *t);
    if (t == NULL)
        return NULL;
    t->arena = a;
    t->observer = (struct policy_run_observer){see, end, unapplied, t};
    if (setjmp(t->arena.escape) == 0) {
        for (size_t place = 0; place < PLACES; place++)
            add_place(t, run, (enum policy_place)place);
        return t;
    }
    policy_trace_free(t);
    return NULL;
}

void policy_trace_free(struct policy_trace *t)
{
    if (t == NULL)
        return;
    struct arena a = t->arena;
    arena_deinit(&a);
}

const struct policy_run_observer *policy_trace_begin(struct policy_trace *t)
{
    t->request++;
    return &t->observer;
}

/* ---- values ---- */

/* The parts of one expression that are shown. */
struct showing {
    const struct policy_trace *trace;
    const struct traced *traced;
    struct extents extents;
    uint64_t since; /* in a loop: when its last turn began */
    struct policy_trace_values *out;
};

/* Returns NULL if the node was not evaluated. */
static const struct value *value_of(const struct showing *s, const struct node *n)
{
    const struct seen *seen = &s->traced->nodes[n->id];
    return seen->request == s->trace->request && seen->moment > s->since ? seen->last : NULL;
}

/* A turn begins with the condition, and the condition that is false ends the loop. */
static uint64_t find_last_turn(const struct showing *s, const struct node *loop)
{
    const struct node *condition = loop->comprehension->condition;
    const struct seen *seen = &s->traced->nodes[condition->id];
    const struct value *v = value_of(s, condition);
    if (v == NULL)
        return s->since;
    return v->kind == VALUE_BOOL && !v->boolean && seen->before > s->since ? seen->before : seen->moment;
}

static void add_value(struct showing *s, const struct node *n, const struct value *v)
{
    struct policy_trace_values *out = s->out;
    const struct str part = extents_text(&s->extents, n);
    for (size_t i = 0; i < out->count; i++) {
        if (str_eq(out->items[i].part, part))
            return;
    }
    if (out->count == POLICY_TRACE_VALUES) {
        out->omitted++;
        return;
    }
    const struct str text = value_is_error(v) ? v->text : value_literal(&out->arena, v);
    out->items[out->count++] = (struct policy_trace_value){part, text, value_is_error(v)};
}

/* Returns true if a part of the node failed first. */
static bool has_failed_part(const struct showing *s, const struct node *n)
{
    for (size_t i = 0; ast_child(n, i) != NULL; i++) {
        const struct value *v = value_of(s, ast_child(n, i));
        if (v != NULL && value_is_error(v))
            return true;
    }
    return false;
}

/* Returns true if the node is or contains a name: an expression of literals alone says itself what it is. */
static bool has_name(struct arena *a, const struct node *n)
{
    bool has = n->kind == NODE_IDENT;
    arena_step(a);
    for (size_t i = 0; !has && ast_child(n, i) != NULL; i++)
        has = has_name(a, ast_child(n, i));
    return has;
}

/* A whole object says too much, and an authorizer nothing. */
static bool is_shown(const struct node *n, const struct value *v)
{
    return v->kind != VALUE_AUTHORIZATION && (v->kind != VALUE_MAP || n->kind != NODE_IDENT);
}

/* Returns true if there is a value that is not an error. */
static bool has_value(const struct showing *s, const struct node *n)
{
    const struct value *v = value_of(s, n);
    return v != NULL && !value_is_error(v);
}

static void show(struct showing *s, const struct node *n)
{
    const struct value *v = value_of(s, n);
    if (v != NULL && is_shown(n, v) && has_name(&s->out->arena, n) &&
        !(value_is_error(v) && has_failed_part(s, n)))
        add_value(s, n, v);
}

static bool is_step(const struct node *n)
{
    return selection_operand(n) != NULL && !(n->kind == NODE_SELECT && n->select.test_only);
}

static void show_parts(struct showing *s, const struct node *n, uint32_t made_at);

/* Selections and indexes that follow each other are one part, which is shown already; the keys of indexes are
 * others. If it fails, what it fails on is shown, too. */
static void show_chain(struct showing *s, const struct node *n, uint32_t made_at)
{
    while (is_step(n)) {
        const bool has_failed = !has_value(s, n);
        arena_step(&s->out->arena);
        for (size_t i = 1; ast_child(n, i) != NULL; i++) {
            show(s, ast_child(n, i));
            show_parts(s, ast_child(n, i), made_at);
        }
        n = selection_operand(n);
        if (has_failed && is_step(n))
            show(s, n);
    }
    if (n->kind == NODE_IDENT)
        return;
    if (n->offset != made_at)
        show(s, n);
    show_parts(s, n, made_at);
}

/* a && b of a && b && c: one of several that are one list. */
static bool is_inner(const struct node *n, const struct node *part)
{
    return part->kind == NODE_CALL && n->kind == NODE_CALL && part->op == n->op &&
           (n->op == AST_AND || n->op == AST_OR);
}

/* Shows the parts of a node. made_at: the place of the nodes that the macro around it made, which nobody
 * wrote. */
static void show_parts(struct showing *s, const struct node *n, uint32_t made_at)
{
    arena_step(&s->out->arena);
    if (is_step(n)) {
        show_chain(s, n, made_at);
        return;
    }
    const uint64_t since = s->since, turn = n->kind == NODE_COMPREHENSION ? find_last_turn(s, n) : since;
    if (n->kind == NODE_COMPREHENSION)
        made_at = n->offset;
    for (size_t i = 0; n->kind != NODE_SELECT && ast_child(n, i) != NULL; i++) { /* of has() there are none */
        const struct node *part = ast_child(n, i);
        s->since = i == 0 ? since : turn; /* a loop's first part is what it goes over */
        if (part->offset != made_at && !is_inner(n, part))
            show(s, part);
        show_parts(s, part, made_at);
    }
    s->since = since;
}

void policy_trace_values(const struct policy_trace *t, struct policy_run_at at,
                         struct policy_trace_values *out)
{
    struct showing s = {.trace = t, .traced = find(t, at), .out = out};
    *out = (struct policy_trace_values){.count = 0};
    arena_init(&out->arena, QUESTION_ARENA_BYTES);
    out->arena.max_steps = QUESTION_MAX_STEPS;
    if (s.traced == NULL || s.traced->expression.ast == NULL)
        return;
    const struct node *root = s.traced->expression.ast->root;
    if (setjmp(out->arena.escape) != 0) /* the last one may have no text */
        return;
    extents_init(&s.extents, &out->arena, s.traced->expression.expression->text);
    show_parts(&s, root, NOWHERE);
}

void policy_trace_values_deinit(struct policy_trace_values *values)
{
    arena_deinit(&values->arena);
}

/* ---- branches ---- */

struct looking {
    struct arena *arena;
    struct policy_run_at at;
    const struct traced *traced;
    struct extents extents;
    struct policy_trace_branches *out;
};

static void look(struct looking *l, const struct node *n);

/* Returns true if any request evaluated the node to what the bits say. */
static bool was(const struct looking *l, const struct node *n, uint8_t bits)
{
    return (l->traced->nodes[n->id].ever & bits) != 0;
}

/* A branch, which was reached or not. Literals are left out: they say nothing. */
static void take(struct looking *l, const struct node *n, bool is_reached)
{
    struct policy_trace_branches *out = l->out;
    if (!has_name(l->arena, n))
        return;
    if (is_reached) {
        out->reached++;
        look(l, n);
        return;
    }
    const struct str text = l->traced->expression.expression->text, part = extents_text(&l->extents, n);
    ARENA_ROOM(l->arena, out->items, out->count, out->cap, FIRST_BRANCHES);
    out->items[out->count++] =
        (struct policy_trace_branch){l->at, part, {text.at, (size_t)(part.at - text.at)}};
}

static bool is_of(const struct looking *l, const struct node *n, enum ast_operator op)
{
    return n->kind == NODE_CALL && n->op == op && extents_is_written(&l->extents, n);
}

static const struct node *find_first(const struct node *n, enum ast_operator op)
{
    while (n->kind == NODE_CALL && n->op == op)
        n = ast_child(n, 0);
    return n;
}

/* The operands of a && b && c, which are evaluated as one list. */
static void take_operands(struct looking *l, const struct node *n, enum ast_operator op)
{
    arena_step(l->arena);
    for (size_t i = 0; ast_child(n, i) != NULL; i++) {
        const struct node *operand = ast_child(n, i);
        if (is_of(l, operand, op))
            take_operands(l, operand, op);
        else
            take(l, operand, was(l, operand, NODE_REACHED));
    }
}

/* Returns true if the node was never reached, so that all of it is one branch: the body of a loop that never
 * ran. */
static bool is_skipped(const struct looking *l, const struct node *first)
{
    return has_name(l->arena, first) && !was(l, first, NODE_REACHED);
}

static void look(struct looking *l, const struct node *n)
{
    arena_step(l->arena);
    const bool is_conditional = is_of(l, n, AST_CONDITIONAL);
    if (!is_conditional && !is_of(l, n, AST_AND) && !is_of(l, n, AST_OR)) {
        for (size_t i = 0; ast_child(n, i) != NULL; i++)
            look(l, ast_child(n, i));
        return;
    }
    if (is_skipped(l, is_conditional ? ast_child(n, 0) : find_first(n, n->op))) {
        take(l, n, false);
    } else if (is_conditional) {
        look(l, ast_child(n, 0));
        take(l, ast_child(n, 1), was(l, ast_child(n, 0), NODE_TRUE));
        take(l, ast_child(n, 2), was(l, ast_child(n, 0), NODE_FALSE));
    } else {
        take_operands(l, n, n->op);
    }
}

static void look_at_place(const struct policy_trace *t, enum policy_place place,
                          struct policy_trace_branches *out)
{
    for (size_t i = 0; i < t->counts[place]; i++) {
        struct looking l = {
            .arena = &out->arena, .at = {place, i}, .traced = &t->places[place][i], .out = out};
        arena_step(l.arena);
        if (!l.traced->is_reached)
            continue;
        extents_init(&l.extents, l.arena, l.traced->expression.expression->text);
        look(&l, l.traced->expression.ast->root);
    }
}

void policy_trace_branches(const struct policy_trace *t, struct policy_trace_branches *out)
{
    *out = (struct policy_trace_branches){.count = 0};
    arena_init(&out->arena, QUESTION_ARENA_BYTES);
    out->arena.max_steps = QUESTION_MAX_STEPS;
    if (setjmp(out->arena.escape) != 0) /* those that were found are there */
        return;
    for (size_t place = 0; place < PLACES; place++)
        look_at_place(t, (enum policy_place)place, out);
}

void policy_trace_branches_deinit(struct policy_trace_branches *branches)
{
    arena_deinit(&branches->arena);
}
