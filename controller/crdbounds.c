#include "controller/crdbounds.h"

#include "client/buf.h"
#include "client/mem.h"
#include "typecheck/arena.h"

/* More places than a hint should name, or than should be tried. */
enum { CANDIDATES = 16, HINT_CAP_BYTES = 16 * 1024 };

/* Bounds beyond this are none: no request holds as much. */
#define BOUND_MOST ((int64_t)SELFTYPE_REQUEST_BYTES)

struct candidate {
    struct structural_bound *bound;
    const char *keyword; /* "maxItems" */
    char *path;          /* ".spec.list" */
};

struct search {
    struct arena *arena;
    const struct crdbounds_question *question;
    struct candidate items[CANDIDATES];
    size_t count;
};

/* ---- candidates ---- */

static const char *keyword_of(struct structural *node, struct structural_bound **bound)
{
    bool is_text = str_eq(node->type, STR("string")) && !node->has_enum &&
                   (node->format.len == 0 || str_eq(node->format, STR("byte")));
    *bound = &node->max_length;
    if (node->is_int_or_string || is_text)
        return "maxLength";
    *bound = &node->max_items;
    if (str_eq(node->type, STR("array")))
        return "maxItems";
    *bound = &node->max_properties;
    return node->additional != NULL ? "maxProperties" : NULL;
}

static void add_candidate(struct search *s, struct structural *node, const char *path)
{
    struct structural_bound *bound;
    const char *keyword = keyword_of(node, &bound);
    if (keyword == NULL || bound->is_set || s->count == CANDIDATES)
        return;
    s->items[s->count++] = (struct candidate){bound, keyword, mem_strdup(*path == '\0' ? "." : path)};
}

static void add_below(struct search *s, struct structural *node, const char *path)
{
    cleanup_mem char *inner = mem_printf("%s[*]", path);
    if (node == NULL)
        return;
    add_candidate(s, node, path);
    add_below(s, node->items, inner);
    add_below(s, node->additional, inner);
    for (size_t i = 0; i < node->property_count; i++) {
        const struct structural_property *p = &node->properties[i];
        cleanup_mem char *child = mem_printf("%s.%.*s", path, (int)p->name.len, p->name.at);
        add_below(s, p->node, child);
    }
}

static void find_candidates(struct search *s)
{
    const struct crdbounds_question *q = s->question;
    cleanup_mem char *path = mem_strdup("");
    for (size_t i = 0; i < q->way_len; i++) {
        char *longer = mem_printf("%s%s", path, q->way[i].label);
        mem_free(path);
        path = longer;
        if (i + 1 < q->way_len)
            add_candidate(s, q->way[i].node, path);
    }
    add_below(s, q->way[q->way_len - 1].node, path);
}

/* ---- trials ---- */

static void forget(struct structural *node)
{
    if (node == NULL)
        return;
    node->is_derived = false;
    node->self = NULL;
    forget(node->items);
    forget(node->additional);
    for (size_t i = 0; i < node->property_count; i++)
        forget(node->properties[i].node);
}

/* How often data can stand at the end of the way. */
static uint64_t times_of(const struct crdbounds_question *q, const struct selftype *self)
{
    uint64_t times = 1;
    for (size_t i = 0; i + 1 < q->way_len; i++) {
        struct structural_bound *bound;
        const struct structural *node = q->way[i].node;
        if (node->items == NULL && node->additional == NULL)
            continue;
        (void)keyword_of(q->way[i].node, &bound);
        if (!bound->is_set)
            return selftype_cardinality(self);
        if (__builtin_mul_overflow(times, bound->value < 0 ? 0 : (uint64_t)bound->value, &times))
            return UINT64_MAX;
    }
    return times;
}

static uint64_t cost_now(struct search *s)
{
    const struct crdbounds_question *q = s->question;
    struct arena_mark mark = arena_mark(s->arena);
    struct rule_results results;
    uint64_t cost = UINT64_MAX;
    forget(q->way[0].node);
    const struct selftype *self = selftype_derive(s->arena, q->way[q->way_len - 1].node);
    if (self != NULL) {
        rule_compile(q->env, self, &q->rule, 1, &results);
        uint64_t once = results.done == 0 ? UINT64_MAX : results.items[0].cost;
        if (q->is_message)
            cost = results.done == 0 ? UINT64_MAX : results.items[0].message_cost;
        else if (__builtin_mul_overflow(once, times_of(q, self), &cost))
            cost = UINT64_MAX;
        rule_results_deinit(&results);
    }
    forget(q->way[0].node);
    arena_release(s->arena, mark);
    return cost;
}

/* With these candidates bounded, but for one of them (s->count: for none). */
static uint64_t cost_with(struct search *s, size_t first, size_t end, int64_t bound, size_t but)
{
    for (size_t i = first; i < end; i++)
        *s->items[i].bound = (struct structural_bound){i != but, bound};
    uint64_t cost = cost_now(s);
    for (size_t i = first; i < end; i++)
        *s->items[i].bound = (struct structural_bound){0};
    return cost;
}

/* The largest bound that these candidates can have; 0: not even 1 does. */
static int64_t largest(struct search *s, size_t first, size_t end)
{
    int64_t low = 0, high = BOUND_MOST;
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (cost_with(s, first, end, middle, s->count) <= s->question->limit)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Keeps those that the cost depends on when all others are bounded: without, it may be the largest number. */
static void drop_useless(struct search *s)
{
    bool is_useful[CANDIDATES];
    uint64_t least = cost_with(s, 0, s->count, 1, s->count);
    size_t kept = 0, count = s->count;
    for (size_t i = 0; i < count; i++)
        is_useful[i] = cost_with(s, 0, count, 1, i) > least;
    for (size_t i = 0; i < count; i++) {
        if (is_useful[i])
            s->items[kept++] = s->items[i];
        else
            mem_free(s->items[i].path);
    }
    s->count = kept;
}

/* ---- words ---- */

static void put_bound(struct buf *out, const struct candidate *c, int64_t bound, const char *before)
{
    buf_printf(out, "%s%s: %lld at %s", before, c->keyword, (long long)bound, c->path);
}

/* Each that is enough by itself. Returns the largest of these bounds. */
static int64_t put_alone(struct search *s, struct buf *out)
{
    int64_t most = 0;
    for (size_t i = 0; i < s->count; i++) {
        int64_t enough = largest(s, i, i + 1);
        if (enough > 0)
            put_bound(out, &s->items[i], enough, out->len == 0 ? "" : ", or ");
        if (enough > most)
            most = enough;
    }
    return most;
}

/* All of them, where that allows more than one alone. */
static void put_together(struct search *s, struct buf *out, int64_t alone)
{
    int64_t enough = s->count < 2 ? 0 : largest(s, 0, s->count);
    if (enough <= alone)
        return;
    for (size_t i = 0; i < s->count; i++)
        put_bound(out, &s->items[i], enough, i > 0 ? " and " : out->len == 0 ? "" : ", or ");
}

char *crdbounds_hint(struct arena *arena, const struct crdbounds_question *question)
{
    struct search s = {.arena = arena, .question = question};
    cleanup_buf struct buf out;
    buf_init(&out, HINT_CAP_BYTES);
    find_candidates(&s);
    drop_useless(&s);
    put_together(&s, &out, put_alone(&s, &out));
    if (out.len != 0)
        buf_puts(&out, " would do");
    for (size_t i = 0; i < s.count; i++)
        mem_free(s.items[i].path);
    return out.len == 0 ? NULL : buf_take(&out, NULL);
}
