#include "typecheck/cel/cost/facts.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/checker/checked.h"
#include "typecheck/cel/syntax/source.h"
#include "typecheck/cel/types/celgo.h"

static const struct facts_entries no_entries = {.container = TYPE_ERROR};

struct facts_item *facts_of(struct facts *f, const struct node *n)
{
    return &f->items[n->id];
}

bool facts_is_name(const struct facts *f, const struct node *n)
{
    return n->kind == NODE_IDENT ||
           (n->kind == NODE_SELECT && !n->select.test_only && f->checked->names[n->id].len != 0);
}

struct str facts_name(const struct facts *f, const struct node *n)
{
    return f->checked->names[n->id].len != 0 ? f->checked->names[n->id] : n->ident;
}

const struct facts_local *facts_local_of(const struct facts *f, const struct node *n)
{
    if (!facts_is_name(f, n))
        return NULL;
    struct str name = facts_name(f, n);
    const struct facts_local *l = f->locals;
    while (l != NULL && !str_eq(l->name, name))
        l = l->outer;
    return l;
}

/* ---- paths ---- */

struct sizes_path facts_append(struct facts *f, struct sizes_path path, struct str step)
{
    if (path.len == path.cap) {
        path.cap = path.cap == 0 ? 1 : 2 * path.cap;
        struct str *grown = ARENA_ARRAY(f->arena, path.cap, struct str);
        if (path.len != 0)
            memcpy(grown, path.at, path.len * sizeof *grown);
        path.at = grown;
    }
    path.at[path.len++] = step;
    return path;
}

struct sizes_path facts_path(struct facts *f, const struct node *n)
{
    const struct facts_local *l = f->celgo->tracks_variables ? facts_local_of(f, n) : NULL;
    return l != NULL ? l->facts.path : facts_of(f, n)->path;
}

struct sizes_path facts_schema_path(struct facts *f, const struct node *n)
{
    static const struct sizes_path nowhere;
    struct sizes_path path = facts_path(f, n);
    bool is_collected = !f->celgo->tracks_variables && path.len > 0 && str_eq(path.at[0], STR("@result"));
    return is_collected ? nowhere : path;
}

/* ---- sizes ---- */

bool facts_is_scalar(const struct celgo *celgo, const struct type *t)
{
    const unsigned SCALARS = TYPE_KIND(TYPE_BOOL) | TYPE_KIND(TYPE_INT) | TYPE_KIND(TYPE_UINT) |
                             TYPE_KIND(TYPE_DOUBLE) | TYPE_KIND(TYPE_DURATION) | TYPE_KIND(TYPE_TIMESTAMP);
    if (type_is_optional(t))
        return celgo->tracks_variables && facts_is_scalar(celgo, t->params[0]);
    return type_is(t, SCALARS) || (celgo->measures_contents && t->kind == TYPE_TYPE);
}

static uint64_t code_points(struct str s)
{
    uint64_t count = 0;
    const char *end = s.at + s.len;
    for (const char *at = s.at; at < end; at += source_code_point_len(at, end))
        count++;
    return count;
}

bool facts_literal_size(const struct node *n, uint64_t *size)
{
    if (n->kind != NODE_LITERAL)
        return false;
    *size = n->literal.kind == LITERAL_STRING  ? code_points(n->literal.bytes)
            : n->literal.kind == LITERAL_BYTES ? n->literal.bytes.len
                                               : 1;
    return true;
}

/* The same of lists and maps that are written out. */
static bool written_size(const struct node *n, uint64_t *size)
{
    if (n->kind == NODE_LIST)
        *size = n->list.count;
    else if (n->kind == NODE_MAP)
        *size = n->map.count;
    else
        return facts_literal_size(n, size);
    return true;
}

void facts_set_size(struct facts *f, const struct node *n, struct measure size)
{
    facts_of(f, n)->has_size = true;
    facts_of(f, n)->size = size;
}

bool facts_computed_size(struct facts *f, const struct node *n, struct measure *out)
{
    const struct facts_item *item = facts_of(f, n);
    uint64_t exact;
    if (item->has_size) {
        *out = item->size;
        return true;
    }
    if (!written_size(n, &exact))
        return false;
    *out = measure_plain(estimate_fixed(exact));
    return true;
}

bool facts_find_size(struct facts *f, const struct node *n, struct measure *out)
{
    if (f->celgo->measures_contents)
        return facts_deep_size(f, n, out);
    if (facts_computed_size(f, n, out))
        return true;
    *out = (struct measure){0};
    if (sizes_of_path(f->sizes, facts_schema_path(f, n), &out->range)) {
        if (f->celgo->tracks_variables)
            facts_set_size(f, n, *out);
        return true;
    }
    if (facts_is_scalar(f->celgo, checked_type_of(f->checked, n))) {
        out->range = estimate_fixed(1);
        return true;
    }
    if (!f->celgo->tracks_variables)
        return false;
    const struct facts_local *l = facts_local_of(f, n);
    if (l != NULL)
        *out = l->facts.size;
    return l != NULL && l->facts.has_size;
}

struct measure facts_size_or_unknown(struct facts *f, const struct node *n)
{
    struct measure size;
    return facts_find_size(f, n, &size) ? size : measure_plain(ESTIMATE_UNKNOWN);
}

struct facts_entries facts_entries_of(struct facts *f, const struct node *n)
{
    const struct facts_item *item = facts_of(f, n);
    if (!f->celgo->tracks_variables)
        return no_entries;
    if (item->entries.container != TYPE_ERROR)
        return item->entries;
    const struct facts_local *l = facts_local_of(f, n);
    return l != NULL ? l->facts.entries : no_entries;
}

void facts_set_entries(struct facts *f, const struct node *n, struct facts_entries e)
{
    if (e.container != TYPE_ERROR)
        facts_of(f, n)->entries = e;
}
