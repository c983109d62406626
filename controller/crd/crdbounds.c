#include "controller/crd/crdbounds.h"

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "typecheck/schema/crd_type.h"
#include "typecheck/schema/graph.h"

/* More places than a hint should name, or than should be tried. */
enum { CANDIDATES = 16, HINT_CAP_BYTES = 16 * 1024 };

/* Bounds beyond this are none: no request holds as much. */
#define BOUND_MOST ((int64_t)CRD_TYPE_REQUEST_BYTES)

#define TOO_MUCH "the bound that is enough was not searched for: there are too many possibilities"

struct candidate {
    int64_t *bound;
    const char *keyword; /* "maxItems" */
    char *path;          /* ".spec.list" */
};

struct search {
    const struct crdbounds_question *question;
    struct candidate items[CANDIDATES];
    size_t count;
};

/* A place below another, while the search is there. */
struct trail {
    const struct trail *above; /* NULL: the first of the way */
    const char *property;      /* NULL: elements, or the root */
};

/* ---- candidates ---- */

static const char *keyword_of(struct schema *schema, uint32_t index, int64_t **bound)
{
    const struct schema_node *node = &schema->nodes[index];
    struct schema_place *place = &schema->places[index];
    bool is_text = node->type == JSON_STRING && place->longest_enum == SCHEMA_UNBOUNDED &&
                   (!place->has_format || node->format == FORMAT_BYTE);
    *bound = &place->max_length;
    if (schema->ignores_int_or_string_length && (node->flags & SCHEMA_INT_OR_STRING) != 0)
        return NULL;
    if ((node->flags & SCHEMA_INT_OR_STRING) != 0 || is_text)
        return "maxLength";
    *bound = &place->max_items;
    if (node->type == JSON_ARRAY)
        return "maxItems";
    *bound = &place->max_properties;
    return node->additional != 0 ? "maxProperties" : NULL;
}

static void put_path(struct buf *out, const struct trail *at)
{
    if (at->above == NULL)
        return;
    put_path(out, at->above);
    if (at->property == NULL)
        buf_puts(out, "[*]");
    else
        buf_printf(out, ".%s", at->property);
}

static char *path_of(const struct trail *at)
{
    struct buf path;
    buf_init(&path, HINT_CAP_BYTES);
    put_path(&path, at);
    if (path.len == 0)
        buf_putc(&path, '.');
    return buf_take(&path, NULL);
}

static void add_candidate(struct search *s, uint32_t node, const struct trail *at)
{
    int64_t *bound;
    const char *keyword = keyword_of(s->question->schema, node, &bound);
    if (keyword == NULL || *bound != SCHEMA_UNBOUNDED || s->count == CANDIDATES)
        return;
    s->items[s->count++] = (struct candidate){bound, keyword, path_of(at)};
}

/* Recurses as deep as the schema. */
static void add_below(struct search *s, uint32_t node, const struct trail *at)
{
    const struct schema *schema = s->question->schema;
    struct trail inner = {.above = at};
    if (node == 0 || s->count == CANDIDATES || !crdwork_pay(s->question->work, 1))
        return;
    add_candidate(s, node, at);
    add_below(s, schema->nodes[node].items, &inner);
    add_below(s, schema->nodes[node].additional, &inner);
    for (uint32_t i = schema->places[node].first_property; i != 0; i = schema->places[i].next_property) {
        inner.property = schema->strings + schema->places[i].key;
        add_below(s, i, &inner);
    }
}

/* The ones on the way, then those below the rule. */
static void find_on(struct search *s, size_t step, const struct trail *above)
{
    const struct crdbounds_question *q = s->question;
    struct trail at = {.above = above, .property = q->way[step].property};
    if (step + 1 == q->way_len) {
        add_below(s, q->way[step].node, &at);
        return;
    }
    add_candidate(s, q->way[step].node, &at);
    find_on(s, step + 1, &at);
}

/* ---- trials ---- */

/* How often data can stand at the end of the way. */
static uint64_t times_of(const struct crdbounds_question *q, const struct crd_type *self)
{
    uint64_t times = 1;
    for (size_t i = 0; i + 1 < q->way_len; i++) {
        int64_t *bound;
        const struct schema_node *node = &q->schema->nodes[q->way[i].node];
        if (node->items == 0 && node->additional == 0)
            continue;
        (void)keyword_of(q->schema, q->way[i].node, &bound);
        if (*bound == SCHEMA_UNBOUNDED)
            return crd_type_cardinality(self);
        if (__builtin_mul_overflow(times, (uint64_t)*bound, &times))
            return UINT64_MAX;
    }
    return times;
}

static uint64_t cost_now(struct search *s)
{
    const struct crdbounds_question *q = s->question;
    uint64_t before = q->compiled->arena.steps;
    uint64_t cost = crd_rule_cost(q->compiled, q->program);
    if (!crdwork_pay(q->work, 1 + q->compiled->arena.steps - before))
        return UINT64_MAX;
    if (!q->is_message && __builtin_mul_overflow(cost, times_of(q, q->compiled->self), &cost))
        return UINT64_MAX;
    return cost;
}

/* With these candidates bounded, but for one of them (s->count: for none). */
static uint64_t cost_with(struct search *s, size_t first, size_t end, int64_t bound, size_t but)
{
    for (size_t i = first; i < end; i++)
        *s->items[i].bound = i == but ? SCHEMA_UNBOUNDED : bound;
    uint64_t cost = cost_now(s);
    for (size_t i = first; i < end; i++)
        *s->items[i].bound = SCHEMA_UNBOUNDED;
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

char *crdbounds_hint(const struct crdbounds_question *question)
{
    struct search s = {.question = question};
    cleanup_buf struct buf out;
    buf_init(&out, HINT_CAP_BYTES);
    if (question->work->is_exhausted)
        return mem_strdup(TOO_MUCH);
    find_on(&s, 0, NULL);
    drop_useless(&s);
    put_together(&s, &out, put_alone(&s, &out));
    if (out.len != 0)
        buf_puts(&out, " is enough");
    for (size_t i = 0; i < s.count; i++)
        mem_free(s.items[i].path);
    if (question->work->is_exhausted)
        return mem_strdup(TOO_MUCH);
    return out.len == 0 ? NULL : buf_take(&out, NULL);
}
