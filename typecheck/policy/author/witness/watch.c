#include "typecheck/policy/author/witness/watch.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/value.h"

/* The nodes from `n` down to `wanted`, and that one: an operand's errors arise in what takes it. */
static bool mark(struct watch *w, const struct node *n, const struct node *wanted, bool is_operand)
{
    bool is_on_way = n == wanted;
    for (size_t i = 0; !is_on_way && ast_child(n, i) != NULL; i++)
        is_on_way = mark(w, ast_child(n, i), wanted, is_operand);
    if (is_on_way && (n == wanted || is_operand) && n->id < w->site_count)
        w->is_site[n->id] = true;
    return is_on_way;
}

void watch_init(struct watch *w, struct arena *a, struct policy_run_at at, const struct ast *ast,
                const struct node *node, bool is_operand, enum watch_sort sort)
{
    *w = (struct watch){.at = at, .node = node, .sort = sort};
    if (node == NULL)
        return;
    w->site_count = (size_t)ast->max_id + 1;
    w->is_site = ARENA_ARRAY(a, w->site_count, bool);
    (void)mark(w, ast->root, node, is_operand || sort == WATCH_RESULT);
}

static bool is_watched(const struct watch *w, struct policy_run_at at)
{
    return at.place == w->at.place && at.index == w->at.index;
}

static size_t find(const struct watch *w, const struct value *error)
{
    const size_t first = w->error_count > WATCH_ERRORS ? w->error_count - WATCH_ERRORS : 0;
    size_t i = w->error_count;
    while (i > first && w->errors[(i - 1) % WATCH_ERRORS].error != error)
        i--;
    return i > first ? (i - 1) % WATCH_ERRORS : WATCH_ERRORS;
}

/* Returns true if `operand` is the number of a child of the node: of a value that it compares. */
static bool compares(const struct node *n, uint32_t operand)
{
    bool has = false;
    for (size_t i = 0; !has && ast_child(n, i) != NULL; i++)
        has = ast_child(n, i)->id == operand;
    return has;
}

static bool is_at_site(const struct watch *w, uint32_t node)
{
    return node < w->site_count && w->is_site[node];
}

/* The first bool on the way from the node to the root. */
static void see_result(struct watch *w, uint32_t node, const struct value *value)
{
    if (w->has_compared || !w->has_reached || !is_at_site(w, node) || value->kind != VALUE_BOOL)
        return;
    w->has_compared = true;
    w->result = value->boolean;
}

static void see(void *user, struct policy_run_at at, uint32_t node, const struct value *value)
{
    struct watch *w = user;
    if (w->node == NULL || !is_watched(w, at))
        return;
    if (node == w->node->id)
        w->has_reached = w->has_reached || w->sort != WATCH_RESULT || !value_is_error(value);
    if (value_is_error(value)) {
        if (find(w, value) == WATCH_ERRORS) {
            w->errors[w->error_count % WATCH_ERRORS].error = value;
            const bool is_of_site = is_at_site(w, node);
            w->errors[w->error_count++ % WATCH_ERRORS].is_of_site = is_of_site;
            if (is_of_site && !w->has_arisen) {
                w->failure = value->text;
                w->code = value->code;
            }
            w->has_arisen = w->has_arisen || is_of_site;
        }
    } else if (w->sort == WATCH_RESULT) {
        see_result(w, node, value);
    } else if (node == w->node->id && value->kind == VALUE_BOOL) {
        if (!w->has_null) {
            w->has_compared = true;
            w->result = value->boolean;
        }
        w->has_null = false;
    } else if (value->kind == VALUE_NULL && compares(w->node, node)) {
        w->has_null = true;
    }
}

/* A variable ends before what uses it. */
static void keep_error(struct watch *w, struct policy_run_at at, struct str error)
{
    if ((w->has_failed || w->has_arisen) && w->error.len == 0 && at.place != POLICY_VARIABLE)
        w->error = error;
}

static void end(void *user, struct policy_run_at at, const struct value *value, struct str error)
{
    struct watch *w = user;
    if (error.len == 0)
        return;
    if (is_watched(w, at)) {
        const size_t i = value == NULL ? WATCH_ERRORS : find(w, value);
        w->has_failed = w->has_failed || w->node == NULL || (i < WATCH_ERRORS && w->errors[i].is_of_site);
        w->ends_in_failure = w->ends_in_failure || (w->has_arisen && value != NULL && value_is_error(value) &&
                                                    str_eq(value->text, w->failure));
    }
    keep_error(w, at, error);
}

/* Notes that a mutation was not applied. An error names only one of several mistakes. */
static void unapplied(void *user, struct policy_run_at at, struct str error, const struct error_names *names)
{
    struct watch *w = user;
    if (is_watched(w, at)) {
        const bool is_it = w->name.len == 0 || error_names_has(names, w->name);
        w->has_failed = w->has_failed || ((w->node == NULL || w->has_reached) && is_it);
        w->ends_in_failure = w->ends_in_failure || w->failure.len == 0;
        w->code = w->failure.len == 0 ? ISSUE_WRONG_MUTATION : w->code;
        w->failure = w->failure.len == 0 ? error : w->failure;
        w->has_arisen = w->has_arisen || w->has_failed;
    }
    keep_error(w, at, error);
}

struct policy_run_observer watch_begin(struct watch *w)
{
    w->error_count = 0;
    w->has_arisen = w->has_failed = w->has_reached = w->has_compared = w->has_null = w->result = false;
    w->ends_in_failure = false;
    w->error = w->failure = STR("");
    w->code = ISSUE_OTHER;
    return (struct policy_run_observer){see, end, unapplied, w};
}

/* Two that are never equal: == and `in` are false, != is true. */
static bool is_as_unequal(const struct watch *w)
{
    return w->has_compared && w->result == (w->node->kind == NODE_CALL && w->node->op == AST_NOT_EQUALS);
}

enum watch_answer watch_answer(const struct watch *w)
{
    if (w->sort == WATCH_RESULT)
        return w->has_compared && w->error.len == 0 ? WATCH_SEEN : WATCH_NOTHING;
    if (w->sort == WATCH_UNEQUAL && w->node != NULL && is_as_unequal(w))
        return WATCH_SEEN;
    if (w->error.len == 0)
        return WATCH_NOTHING;
    return w->has_failed ? WATCH_SEEN : w->has_arisen ? WATCH_ANOTHER : WATCH_NOTHING;
}
