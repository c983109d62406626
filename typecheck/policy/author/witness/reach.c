#include "typecheck/policy/author/witness/reach.h"

#include "typecheck/base/arena.h"
#include "typecheck/base/json_pointer.h"
#include "typecheck/golang/gonumber.h"

/* ---- operands ---- */

static void have_value(struct wish *w, const struct node *n);

/* Makes that a macro has a value: with items, or without any, since what it does with an item may fail. */
static void have_macro_value(struct wish *w, const struct comprehension *c)
{
    have_value(w, c->range);
    struct sample *range = choices_take(w->choices, 2) == 0 ? NULL : wish_resolve(w, c->range);
    if (range != NULL)
        sample_clear(range);
}

/* Makes that a node has a value: that what it selects is there. */
static void have_value(struct wish *w, const struct node *n)
{
    arena_step(w->arena);
    if (++w->depth > WISH_DEPTH) {
        w->depth--;
        return;
    }
    const bool is_test = n->kind == NODE_SELECT && n->select.test_only;
    struct sample *s = is_test ? NULL : wish_resolve(w, n);
    if (n->kind == NODE_COMPREHENSION) {
        have_macro_value(w, n->comprehension);
    } else if (s == NULL || n->kind == NODE_CALL) {
        for (size_t i = 0; ast_child(n, i) != NULL; i++)
            have_value(w, ast_child(n, i));
    }
    /* what is asked of a list is often asked of its items */
    if (s != NULL && s->kind == SAMPLE_LIST && s->first == NULL && choices_take(w->choices, 2) == 0)
        (void)sample_item(w->arena, s, 0);
    w->depth--;
}

/* The value of an operand, which may be of another kind than the one with which it is made. */
static void have_operand(struct wish *w, const struct node *n)
{
    have_value(w, n);
    struct sample *s = wish_resolve(w, n);
    if (s != NULL && sample_is_int_or_string(s))
        w->probe->either = s;
}

static bool has_node(struct wish *w, const struct node *n, const struct node *wanted)
{
    arena_step(w->arena);
    bool has = n == wanted;
    for (size_t i = 0; !has && ast_child(n, i) != NULL; i++)
        has = has_node(w, ast_child(n, i), wanted);
    return has;
}

/* ---- on the way down ---- */

/* The other operands have values. */
static void let_operands_be(struct wish *w, const struct node *n, const struct node *child)
{
    for (size_t i = 0; ast_child(n, i) != NULL; i++) {
        if (ast_child(n, i) != child)
            have_value(w, ast_child(n, i));
    }
}

/* Makes that evaluation comes from the node to that part of it, and that an error there is one of the
 * node. */
static void let_through(struct wish *w, const struct node *n, const struct node *child)
{
    if (n->kind != NODE_CALL) {
        let_operands_be(w, n, child);
    } else if (n->op == AST_AND || n->op == AST_OR) {
        for (size_t i = 0; i < n->arg_count; i++) {
            if (n->call.args[i] != child)
                wish_be(w, n->call.args[i], n->op == AST_AND);
        }
    } else if (n->op == AST_CONDITIONAL) {
        if (child != n->call.args[0])
            wish_be(w, n->call.args[0], child == n->call.args[1]);
    } else {
        let_operands_be(w, n, child);
    }
}

/* The literal text of a field of JSONPatch{}; empty: it has none. */
static struct str patch_field(const struct wish *w, const struct node *n, struct str name)
{
    for (size_t i = 0; i < n->structure.count; i++) {
        const struct literal *literal = wish_literal(w, n->structure.fields[i].value);
        if (str_eq(n->structure.fields[i].name, name) && literal != NULL && literal->kind == LITERAL_STRING)
            return literal->bytes;
    }
    return STR("");
}

enum { INDEX_MAX = 99 };

static struct sample *find_part(struct wish *w, struct sample *s, struct str part)
{
    uint64_t index;
    if (s->kind != SAMPLE_LIST)
        return sample_field(w->arena, s, part);
    return gonumber_read_uint(part, &index) && index <= INDEX_MAX ? sample_item(w->arena, s, (size_t)index)
                                                                  : NULL;
}

/* Adds to the object the containers that the path of a JSON patch leads through, and the value that it
 * replaces or removes. An empty container would be left out of the object, so one that is only added to gets
 * a part before. */
static void let_patch_apply(struct wish *w, const struct node *n)
{
    struct sample *s = w->probe->object;
    const bool is_added = str_eq(patch_field(w, n, STR("op")), STR("add"));
    const struct str path = patch_field(w, n, STR("path"));
    if (s == NULL || memchr(path.at, '/', path.len) == NULL)
        return;
    struct str rest = json_pointer_parts(path), part, next;
    bool has_next = json_pointer_next(w->arena, &rest, &part);
    while (has_next && s != NULL) {
        has_next = json_pointer_next(w->arena, &rest, &next);
        if (has_next || !is_added)
            s = find_part(w, s, part);
        else if (sample_is_left_out(s))
            (void)sample_resize(w->arena, s, 1);
        part = next;
    }
}

static void go_down(struct wish *w, const struct node *n, const struct reach_target *target);

/* Returns true if the range is a sum of lists, of which each is a range by itself. */
static bool is_sum(struct wish *w, const struct node *range)
{
    const struct node *variable = wish_variable(w, range);
    const struct node *n = variable != NULL ? variable : range;
    return n->kind == NODE_CALL && n->op == AST_ADD;
}

static void go_into_items(struct wish *w, const struct comprehension *c, const struct node *child,
                          const struct reach_target *target)
{
    have_value(w, c->range);
    for (size_t i = is_sum(w, c->range) ? 3 : 1; i > 0; i--) { /* the items are taken by choice */
        struct wish within = *w;
        within.locals = wish_bind(w, c);
        go_down(&within, child, target);
    }
}

static void go_into_macro(struct wish *w, const struct node *n, const struct node *child,
                          const struct reach_target *target)
{
    const struct comprehension *c = n->comprehension;
    if (child == c->step || child == c->condition) {
        go_into_items(w, c, child, target);
        return;
    }
    struct wish within = *w;
    if (child == c->result)
        within.locals = wish_bind_result(w, c);
    go_down(&within, child, target);
}

static void go_down(struct wish *w, const struct node *n, const struct reach_target *target)
{
    if (n->kind == NODE_STRUCT && str_eq(n->structure.type_name, STR("JSONPatch")))
        let_patch_apply(w, n);
    if (n == target->node) {
        if (target->is_operand)
            have_operand(w, n);
        else if (n->kind == NODE_COMPREHENSION)
            have_value(w, n->comprehension->range);
        else
            let_operands_be(w, n, NULL);
        return;
    }
    for (size_t i = 0; ast_child(n, i) != NULL; i++) {
        const struct node *child = ast_child(n, i);
        if (!has_node(w, child, target->node))
            continue;
        if (n->kind == NODE_COMPREHENSION) {
            go_into_macro(w, n, child, target);
            return;
        }
        let_through(w, n, child);
        go_down(w, child, target);
        return;
    }
}

/* ---- expressions ---- */

static void let_conditions_be(struct wish *w, size_t except)
{
    for (size_t i = 0; i < w->policy->count; i++) {
        const struct policy_tree *e = &w->policy->expressions[i];
        if (e->place == POLICY_MATCH_CONDITION && e->ast != NULL && i != except)
            wish_be(w, e->ast->root, true);
    }
}

/* The node that reads the variable: the one at *skip of them. */
static const struct node *find_use(struct wish *w, const struct node *n, const struct node *variable,
                                   size_t *skip)
{
    arena_step(w->arena);
    if (wish_variable(w, n) == variable && (*skip)-- == 0)
        return n;
    const struct node *found = NULL;
    for (size_t i = 0; found == NULL && ast_child(n, i) != NULL; i++)
        found = find_use(w, ast_child(n, i), variable, skip);
    return found;
}

static bool find_user(struct wish *w, const struct node *variable, size_t at, struct reach_target *out)
{
    for (size_t i = 0; i < w->policy->count; i++) {
        const struct policy_tree *e = &w->policy->expressions[i];
        const struct node *use = e->ast == NULL ? NULL : find_use(w, e->ast->root, variable, &at);
        *out = (struct reach_target){i, use, true};
        if (use != NULL)
            return true;
    }
    return false;
}

static size_t count_uses(struct wish *w, const struct node *variable)
{
    struct reach_target ignored;
    size_t count = 0;
    while (count < 8 && find_user(w, variable, count, &ignored))
        count++;
    return count;
}

static void reach(struct wish *w, const struct reach_target *target);

static void reach_variable(struct wish *w, const struct node *variable)
{
    struct reach_target user;
    const size_t count = count_uses(w, variable);
    if (count > 0 && find_user(w, variable, choices_take(w->choices, count), &user))
        reach(w, &user);
}

static void reach(struct wish *w, const struct reach_target *target)
{
    const struct policy_tree *e = &w->policy->expressions[target->expression];
    if (e->ast == NULL || ++w->depth > WISH_DEPTH)
        return;
    if (e->place == POLICY_VARIABLE)
        reach_variable(w, e->ast->root);
    else
        let_conditions_be(w, target->expression);
    if (e->place == POLICY_MESSAGE && target->expression > 0 && (e - 1)->ast != NULL)
        wish_be(w, (e - 1)->ast->root, false);
    go_down(w, e->ast->root, target);
    w->depth--;
}

void reach_node(struct probe *probe, struct arena *a, const struct wish_policy *policy,
                const struct reach_target *target, struct choices *choices)
{
    struct wish w = {.arena = a, .probe = probe, .policy = policy, .choices = choices};
    reach(&w, target);
}

/* A text that the API server takes for a field that may be an integer: a port, or a share. */
static struct str text_for(const struct sample *s)
{
    return str_has_suffix(s->key, STR("ort")) ? STR("http") : STR("25%");
}

void reach_another_kind(struct probe *probe, struct choices *choices)
{
    if (probe->either != NULL && choices_take(choices, 2) == 1)
        (void)sample_set_string(probe->either, text_for(probe->either));
}
