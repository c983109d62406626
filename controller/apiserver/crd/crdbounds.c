#include "controller/apiserver/crd/crdbounds.h"

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "controller/apiserver/crd/crdcost.h"
#include "typecheck/schema.h"

/* More places than a hint should name, or than should be tried. */
enum { CANDIDATES = 16, HINT_CAP_BYTES = 16 * 1024 };

/* Bounds beyond this are none: no request holds as much. */
#define BOUND_MOST ((int64_t)CRD_TYPE_REQUEST_BYTES)

#define TOO_MUCH "the bound that is enough was not searched for: there are too many possibilities"

struct candidate {
    int64_t *bound;
    int64_t set;         /* what the definition has; SCHEMA_UNBOUNDED: none */
    const char *keyword; /* "maxItems" */
    char *path;          /* ".spec.list" */
};

struct search {
    const struct crdbounds_question *question;
    struct candidate items[CANDIDATES];
    size_t count;
    bool takes_set; /* bounds that the definition has are candidates, too */
};

/* A place below that of the rules, while the search is there. */
struct trail {
    const struct trail *above;    /* the place around it; NULL for the place of the rules, or one above it */
    const struct crdplace *place; /* that one */
    const char *property;         /* the property's name; NULL for the elements of a list or map */
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

static void put_step(struct buf *out, const char *property)
{
    if (property == NULL)
        buf_puts(out, "[*]");
    else
        buf_printf(out, ".%s", property);
}

static void put_place(struct buf *out, const struct crdplace *place)
{
    if (place->parent == NULL)
        return;
    put_place(out, place->parent);
    put_step(out, place->property);
}

static void put_trail(struct buf *out, const struct trail *at)
{
    if (at->above == NULL) {
        put_place(out, at->place);
        return;
    }
    put_trail(out, at->above);
    put_step(out, at->property);
}

static char *path_of(const struct trail *at)
{
    struct buf path;
    buf_init(&path, HINT_CAP_BYTES);
    put_trail(&path, at);
    if (path.len == 0)
        buf_putc(&path, '.');
    return buf_take(&path, NULL);
}

static void add_candidate(struct search *s, uint32_t node, const struct trail *at)
{
    int64_t *bound;
    const char *keyword = keyword_of(s->question->schema, node, &bound);
    const bool is_known = keyword != NULL && *bound != SCHEMA_UNBOUNDED;
    if (keyword == NULL || (is_known && !s->takes_set) || s->count == CANDIDATES)
        return;
    s->items[s->count++] = (struct candidate){bound, *bound, keyword, path_of(at)};
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

/* Adds the places above, from the root on. */
static void add_above(struct search *s, const struct crdplace *place)
{
    if (place == NULL)
        return;
    add_above(s, place->parent);
    add_candidate(s, place->node, &(struct trail){.place = place});
}

/* ---- trials ---- */

/* Multiplies *times by the number of values that the place can have, by the bounds from the root on. Returns
 * false if *times is then the answer, whatever is below. */
static bool multiply(const struct crdbounds_question *q, const struct crdplace *place, uint64_t *times)
{
    int64_t *bound;
    if (place == NULL)
        return true;
    if (!multiply(q, place->parent, times))
        return false;
    const struct schema_node *node = &q->schema->nodes[place->node];
    if (node->items == 0 && node->additional == 0)
        return true;
    (void)keyword_of(q->schema, place->node, &bound);
    bool is_bounded = *bound != SCHEMA_UNBOUNDED;
    bool is_known = is_bounded && !__builtin_mul_overflow(*times, (uint64_t)*bound, times);
    if (!is_known)
        *times = is_bounded ? UINT64_MAX : crd_type_cardinality(q->compiler->scope.self);
    return is_known;
}

static uint64_t cost_now(struct search *s)
{
    const struct crdbounds_question *q = s->question;
    uint64_t before = q->compiler->arena.steps;
    uint64_t cost = compiler_cost(q->compiler, q->compiled);
    if (!crdwork_pay(q->work, 1 + q->compiler->arena.steps - before))
        return UINT64_MAX;
    uint64_t times = 1;
    if (q->compiled->place != CEL_PLACE_RULE_MESSAGE)
        (void)multiply(q, q->place->parent, &times);
    return crdcost_product(cost, times);
}

/* The candidate's bound, which is never raised. */
static int64_t lowered(const struct candidate *c, int64_t bound)
{
    return c->set != SCHEMA_UNBOUNDED && c->set < bound ? c->set : bound;
}

/* With these candidates bounded, but for one of them (s->count: for none). */
static uint64_t cost_with(struct search *s, size_t first, size_t end, int64_t bound, size_t but)
{
    for (size_t i = first; i < end; i++)
        *s->items[i].bound = i == but ? s->items[i].set : lowered(&s->items[i], bound);
    uint64_t cost = cost_now(s);
    for (size_t i = first; i < end; i++)
        *s->items[i].bound = s->items[i].set;
    return cost;
}

/* The largest bound that these candidates can have; 0: not even 1 does. */
static int64_t largest(struct search *s, size_t first, size_t end)
{
    int64_t low = 0, high = BOUND_MOST;
    if (first + 1 == end)
        high = lowered(&s->items[first], high);
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (cost_with(s, first, end, middle, s->count) <= cel_place_cost_limit(s->question->compiled->place))
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
    buf_printf(out, "%s%s: %lld at %s", before, c->keyword, (long long)lowered(c, bound), c->path);
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

/* Puts what is enough, if anything is. */
static void search_bounds(struct search *s, struct buf *out)
{
    const struct crdbounds_question *q = s->question;
    s->count = 0;
    add_above(s, q->place->parent);
    add_below(s, q->place->node, &(struct trail){.place = q->place});
    drop_useless(s);
    put_together(s, out, put_alone(s, out));
    if (out->len != 0)
        buf_puts(out, " is enough");
    for (size_t i = 0; i < s->count; i++)
        mem_free(s->items[i].path);
}

char *crdbounds_hint(const struct crdbounds_question *question)
{
    struct search s = {.question = question};
    cleanup_buf struct buf out;
    buf_init(&out, HINT_CAP_BYTES);
    if (question->work->is_exhausted)
        return mem_strdup(TOO_MUCH);
    search_bounds(&s, &out);
    if (out.len == 0 && !question->work->is_exhausted) {
        s.takes_set = true;
        search_bounds(&s, &out);
    }
    if (question->work->is_exhausted)
        return mem_strdup(TOO_MUCH);
    return out.len == 0 ? NULL : buf_take(&out, NULL);
}
