/*
 * Sizes with parts (cel-go's common/cost: the default sizing strategy, of the cost model's version 0, which
 * Kubernetes asks for).
 *
 * The size of a list or map is its count. Its parts come from what is written, from the schema's sizes at the
 * paths of its parts, or from the types of these: a value of a fixed size has the size 1. A list or map that
 * may have entries of which nothing is known has parts of unknown size.
 */
#include "typecheck/base/arena.h"
#include "typecheck/cel/checker/checked.h"
#include "typecheck/cel/cost/facts.h"
#include "typecheck/cel/syntax/ast.h"
#include "typecheck/cel/types/decl.h"

/* The levels of lists and maps that are looked for below a value without a type. */
enum { UNTYPED_LEVELS = 32 };

/* A node, or a place in the schema, that is to be measured. */
struct subject {
    const struct node *node; /* the node that the fact is about; NULL if there is none */
    struct sizes_path path;
    const struct type *type; /* the type of the node; NULL for dyn */
};

/* A size that may not be known. */
struct maybe {
    bool known;
    struct measure size;
};

static struct maybe measured(struct facts *f, struct subject s);

static struct maybe known(struct measure size)
{
    return (struct maybe){true, size};
}

static enum type_kind kind_of(const struct subject *s)
{
    return s->type == NULL ? TYPE_DYN : s->type->kind;
}

static bool is_untyped(enum type_kind kind)
{
    return kind == TYPE_DYN || kind == TYPE_ANY || kind == TYPE_PARAM;
}

static const struct measure *kept(struct facts *f, struct measure size)
{
    struct measure *copy = ARENA_NEW(f->arena, struct measure);
    *copy = size;
    return copy;
}

static struct measure size_or_unknown(struct facts *f, struct subject s)
{
    struct measure size;
    if (s.node != NULL && facts_deep_size(f, s.node, &size))
        return size;
    struct maybe found = measured(f, s);
    if (found.known)
        return found.size;
    size = measure_plain(ESTIMATE_UNKNOWN);
    (void)sizes_of_path(f->sizes, s.path, &size.range);
    return size;
}

static struct measure size_of_node(struct facts *f, const struct node *n, const struct type *type)
{
    return size_or_unknown(f, (struct subject){.node = n, .type = type});
}

/* The size of a literal, or by the schema, or by the type. */
static struct maybe plain(struct facts *f, struct subject s)
{
    struct measure size = {0};
    uint64_t exact;
    if (s.node != NULL && facts_literal_size(s.node, &exact))
        return known(measure_plain(estimate_fixed(exact)));
    if (sizes_of_path(f->sizes, s.path, &size.range))
        return known(size);
    if (s.type != NULL && facts_is_scalar(f->celgo, s.type))
        return known(measure_plain(estimate_fixed(1)));
    return (struct maybe){0};
}

/* ---- parts ---- */

/* A path that shares nothing with the other. */
static struct sizes_path path_below(struct facts *f, struct sizes_path path, struct str step)
{
    struct sizes_path below = {.cap = path.len + 1};
    below.at = ARENA_ARRAY(f->arena, below.cap, struct str);
    if (path.len != 0)
        memcpy(below.at, path.at, path.len * sizeof *below.at);
    below.len = path.len;
    below.at[below.len++] = step;
    return below;
}

/* A part, of which `found` is what is known so far. */
static const struct measure *part(struct facts *f, struct sizes_path path, struct str step,
                                  const struct type *type, const struct measure *found)
{
    struct subject s = {.type = type};
    enum type_kind kind = kind_of(&s);
    bool has_parts = kind == TYPE_LIST || kind == TYPE_MAP || is_untyped(kind);
    if (path.len > 0 && (found == NULL || (found->element == NULL && has_parts))) {
        s.path = path_below(f, path, step);
        struct measure below = size_or_unknown(f, s);
        if (!measure_is_unknown(&below))
            found = kept(
                f, (struct measure){found == NULL ? below.range : found->range, below.key, below.element});
    }
    if (found == NULL && type != NULL && facts_is_scalar(f->celgo, type))
        found = kept(f, measure_plain(estimate_fixed(1)));
    return found;
}

static const struct measure *or_unknown(struct facts *f, const struct measure *m)
{
    return m != NULL ? m : kept(f, measure_plain(ESTIMATE_UNKNOWN));
}

static struct maybe list_with(struct facts *f, struct maybe count, const struct measure *element)
{
    if (!count.known && element == NULL)
        return count;
    struct estimate range = count.known ? count.size.range : ESTIMATE_UNKNOWN;
    if (range.max > 0)
        element = or_unknown(f, element);
    return known((struct measure){range, NULL, element});
}

static struct maybe map_with(struct facts *f, struct maybe count, const struct measure *key,
                             const struct measure *value)
{
    if (!count.known && key == NULL && value == NULL)
        return count;
    struct estimate range = count.known ? count.size.range : ESTIMATE_UNKNOWN;
    if (range.max > 0) {
        key = or_unknown(f, key);
        value = or_unknown(f, value);
    }
    return known((struct measure){range, key, value});
}

static const struct measure *joined(struct facts *f, const struct measure *all, struct measure next)
{
    return measure_merge(f->arena, all, kept(f, next));
}

/* ---- lists ---- */

static bool calls(const struct facts *f, const struct node *n, struct str function)
{
    const struct overload *overload = n->kind == NODE_CALL ? f->checked->overloads[n->id] : NULL;
    return overload != NULL && !overload->receiver && str_eq(overload->function->name, function);
}

/* The node that an element after "?" adds to its list; NULL: nothing. */
static const struct node *optional_element(const struct facts *f, const struct node *n)
{
    if (calls(f, n, STR("optional.none")))
        return NULL;
    bool is_of = calls(f, n, STR("optional.of")) || calls(f, n, STR("optional.ofNonZeroValue"));
    return is_of ? n->call.args[0] : n;
}

static struct maybe written_list(struct facts *f, const struct node *n, const struct type *of,
                                 const struct measure **element)
{
    struct estimate count = estimate_fixed(n->list.count);
    for (size_t i = 0; i < n->list.count; i++) {
        const struct node *e = n->list.elements[i];
        if (n->list.optional != NULL && n->list.optional[i]) {
            count.min--;
            e = optional_element(f, e);
            count.max -= e == NULL;
        }
        if (e != NULL)
            *element = joined(f, *element, size_of_node(f, e, of));
    }
    return known(measure_plain(count));
}

/* The branches of c ? x : y. */
static struct maybe branches(struct facts *f, const struct subject *s)
{
    if (s->node == NULL || s->node->kind != NODE_CALL || s->node->op != AST_CONDITIONAL)
        return (struct maybe){0};
    struct measure yes = size_of_node(f, s->node->call.args[1], s->type);
    return known(measure_union(f->arena, yes, size_of_node(f, s->node->call.args[2], s->type)));
}

static struct maybe sum(struct facts *f, const struct subject *s)
{
    if (s->node == NULL || s->node->kind != NODE_CALL || s->node->op != AST_ADD)
        return (struct maybe){0};
    struct measure left = size_of_node(f, s->node->call.args[0], s->type);
    return known(measure_add(f->arena, left, size_of_node(f, s->node->call.args[1], s->type)));
}

static struct maybe measured_list(struct facts *f, struct subject s)
{
    const struct type *of = kind_of(&s) == TYPE_LIST ? s.type->params[0] : NULL;
    const struct measure *element = NULL;
    struct maybe count;
    if (s.node != NULL && s.node->kind == NODE_LIST) {
        count = written_list(f, s.node, of, &element);
    } else {
        count = sum(f, &s);
        if (!count.known)
            count = branches(f, &s);
        element = count.known ? count.size.element : NULL;
    }
    if (!count.known)
        count.known = sizes_of_path(f->sizes, s.path, &count.size.range);
    element = part(f, s.path, STR("@items"), of, element);
    if (!count.known && element == NULL && s.node != NULL)
        count = known(measure_plain(ESTIMATE_UNKNOWN));
    return list_with(f, count, element);
}

/* ---- maps ---- */

struct map_parts {
    const struct type *key_type, *value_type;
    const struct measure *key, *value;
};

static struct maybe written_map(struct facts *f, const struct node *n, struct map_parts *p)
{
    struct estimate count = estimate_fixed(n->map.count);
    for (size_t i = 0; i < n->map.count; i++) {
        const struct entry *e = &n->map.entries[i];
        count.min -= e->optional;
        p->key = joined(f, p->key, size_of_node(f, e->key, p->key_type));
        p->value = joined(f, p->value, size_of_node(f, e->value, p->value_type));
    }
    return known(measure_plain(count));
}

/* cel.@mapInsert(map, key, value), and cel.@mapInsert(map, map). */
static struct maybe grown_map(struct facts *f, const struct subject *s, struct map_parts *p)
{
    if (s->node == NULL || !calls(f, s->node, STR("cel.@mapInsert")))
        return (struct maybe){0};
    struct node **args = s->node->call.args;
    struct measure map = size_of_node(f, args[0], s->type);
    if (s->node->arg_count == 2) {
        map = measure_add(f->arena, map, size_of_node(f, args[1], s->type));
        p->key = map.key;
        p->value = map.element;
        return known(map);
    }
    p->key = joined(f, map.key, size_of_node(f, args[1], p->key_type));
    p->value = joined(f, map.element, size_of_node(f, args[2], p->value_type));
    return known(measure_plain(estimate_add(map.range, estimate_fixed(1))));
}

static struct maybe measured_map(struct facts *f, struct subject s)
{
    bool has_types = kind_of(&s) == TYPE_MAP;
    struct map_parts p = {has_types ? s.type->params[0] : NULL, has_types ? s.type->params[1] : NULL, NULL,
                          NULL};
    struct maybe count;
    if (s.node != NULL && s.node->kind == NODE_MAP) {
        count = written_map(f, s.node, &p);
    } else {
        count = grown_map(f, &s, &p);
        struct maybe either = {0};
        if (!count.known)
            either = branches(f, &s);
        if (either.known) {
            count = either;
            p.key = either.size.key;
            p.value = either.size.element;
        }
    }
    if (!count.known)
        count.known = sizes_of_path(f->sizes, s.path, &count.size.range);
    p.key = part(f, s.path, STR("@keys"), p.key_type, p.key);
    p.value = part(f, s.path, STR("@values"), p.value_type, p.value);
    if (!count.known && p.key == NULL && p.value == NULL && s.node != NULL)
        count = known(measure_plain(ESTIMATE_UNKNOWN));
    return map_with(f, count, p.key, p.value);
}

/* ---- values without a type ---- */

/* A part that only the schema knows. */
static const struct measure *untyped_part(struct facts *f, struct sizes_path path, struct str step)
{
    struct estimate range;
    if (path.len >= UNTYPED_LEVELS)
        return NULL;
    struct subject s = {.path = path_below(f, path, step)};
    if (!sizes_of_path(f->sizes, s.path, &range))
        return NULL;
    struct measure size = size_or_unknown(f, s);
    return measure_is_unknown(&size) ? NULL : kept(f, size);
}

static struct maybe measured_untyped(struct facts *f, struct subject s)
{
    if (s.node != NULL && s.node->kind == NODE_LIST)
        return measured_list(f, s);
    if (s.node != NULL && s.node->kind == NODE_MAP)
        return measured_map(f, s);
    struct maybe either = branches(f, &s);
    if (either.known)
        return either;
    struct maybe base = plain(f, s);
    if (s.path.len == 0)
        return base;
    const struct measure *element = untyped_part(f, s.path, STR("@items"));
    if (element != NULL)
        return list_with(f, base, element);
    const struct measure *key = untyped_part(f, s.path, STR("@keys"));
    const struct measure *value = untyped_part(f, s.path, STR("@values"));
    return key == NULL && value == NULL ? base : map_with(f, base, key, value);
}

/* ---- all ---- */

/* The size by the expression's text, the schema, or the type; recurses as deep as values are nested. */
static struct maybe measured(struct facts *f, struct subject s)
{
    uint64_t exact;
    arena_step(f->arena);
    if (s.node != NULL && facts_literal_size(s.node, &exact))
        return known(measure_plain(estimate_fixed(exact)));
    switch (kind_of(&s)) {
    case TYPE_LIST:
        return measured_list(f, s);
    case TYPE_MAP:
        return measured_map(f, s);
    case TYPE_DYN:
    case TYPE_ANY:
    case TYPE_PARAM:
        return measured_untyped(f, s);
    case TYPE_ERROR:
    case TYPE_NULL:
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_UINT:
    case TYPE_DOUBLE:
    case TYPE_STRING:
    case TYPE_BYTES:
    case TYPE_DURATION:
    case TYPE_TIMESTAMP:
    case TYPE_TYPE:
    case TYPE_OPAQUE:
    case TYPE_OBJECT:
        break;
    }
    return plain(f, s);
}

bool facts_deep_size(struct facts *f, const struct node *n, struct measure *out)
{
    const struct facts_item *item = facts_of(f, n);
    if (item->has_size) {
        *out = item->size;
        return true;
    }
    const struct facts_local *l = facts_local_of(f, n);
    if (l != NULL && l->facts.has_size) {
        *out = l->facts.size;
        struct estimate range;
        if (sizes_of_path(f->sizes, l->facts.path, &range)) {
            *out = measure_plain(range);
            facts_set_size(f, n, *out);
        }
        return true;
    }
    struct maybe found = measured(f, (struct subject){n, facts_path(f, n), checked_type_of(f->checked, n)});
    if (found.known) {
        *out = found.size;
        facts_set_size(f, n, *out);
    }
    return found.known;
}
