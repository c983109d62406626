#include "cmd/kubectl-vapcheck/output/remedy.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"

enum {
    REMEDY_CAP_BYTES = 64 * 1024,
    OWN_MOST = 8,       /* edits of one finding that are looked at */
    WRAPPED_BYTES = 60, /* of a part of a line */
};

/* The findings that a correction is about, and which of them each edit belongs to. */
struct run {
    struct found_item **items;
    size_t count;
    size_t *owners; /* of each edit, an index into items */
    const struct output_place *place;
};

static bool is_before(struct yaml_place one, struct yaml_place two)
{
    return one.line < two.line || (one.line == two.line && one.column < two.column);
}

static bool is_insertion(const struct yaml_edit *e)
{
    return !is_before(e->at, e->end);
}

/* Lines count before columns. */
static unsigned long gap(struct yaml_place one, struct yaml_place two)
{
    enum { LINE = 1000 * 1000 };
    const unsigned long lines = two.line - one.line;
    return lines * LINE + (lines > 0 ? two.column : two.column - one.column);
}

static unsigned long distance(const struct found_item *item, const struct yaml_edit *e)
{
    if (is_before(e->end, item->at))
        return gap(e->end, item->at);
    return is_before(item->end, e->at) ? gap(item->end, e->at) : 0;
}

/* The finding that the edit is nearest to; of two at the same place, what is put before an expression is
 * about null. */
static size_t owner_of(const struct run *r, const struct yaml_edit *e)
{
    size_t best = 0;
    for (size_t i = 1; i < r->count; i++) {
        const unsigned long one = distance(r->items[i], e), other = distance(r->items[best], e);
        if (one < other || (one == other && is_insertion(e) && r->items[i]->id == FINDING_NULL_OBJECT))
            best = i;
    }
    return best;
}

/* The edits of one finding, in order. */
struct own {
    const struct yaml_edit *edits[OWN_MOST];
    size_t count, n_changes; /* edits that are kept; different ones that there are, one behind the other */
};

static struct own edits_of(const struct run *r, size_t index)
{
    const struct output_fix *fix = r->items[index]->fix;
    struct own own = {.count = 0};
    for (size_t i = 0; i < fix->n_edits; i++) {
        const struct yaml_edit *e = &fix->edits[i];
        if (r->owners[i] != index)
            continue;
        const bool is_same = own.count > 0 && strcmp(own.edits[own.count - 1]->text, e->text) == 0;
        own.n_changes += !is_same;
        if (own.count < OWN_MOST && !is_same)
            own.edits[own.count++] = e;
    }
    return own;
}

/* "string(object.spec.replicas)" of what is put before and behind a part of a line; NULL: it is no such pair,
 * or long. The caller frees it. */
static char *wrap(const struct run *r, const struct own *own)
{
    const struct yaml_edit *first = own->edits[0], *last = own->edits[own->count - 1];
    size_t len;
    if (own->n_changes != 2 || !is_insertion(first) || !is_insertion(last) || first->at.line != last->at.line)
        return NULL;
    const char *line = yaml_line(r->place->yaml, first->at.line, &len);
    const size_t from = yaml_offset(r->place->yaml, first->at), to = yaml_offset(r->place->yaml, last->at);
    if (to <= from || to - from > WRAPPED_BYTES)
        return NULL;
    return mem_printf("%s%.*s%s", first->text, (int)(to - from), line + from, last->text);
}

static char *describe(const struct found_item *item, const struct yaml_edit *e)
{
    if (*e->text == '\0')
        return mem_printf("remove '%s'", e->old + e->n_before);
    if (!is_insertion(e))
        return mem_strdup(e->text);
    return is_before(item->at, e->at) ? mem_printf("...%s", e->text) : mem_printf("%s...", e->text);
}

/* The edit at the finding, and how many others there are. */
static char *describe_nearest(const struct found_item *item, const struct own *own)
{
    size_t nearest = 0;
    for (size_t i = 1; i < own->count; i++) {
        if (distance(item, own->edits[i]) < distance(item, own->edits[nearest]))
            nearest = i;
    }
    cleanup_mem char *one = describe(item, own->edits[nearest]);
    return mem_printf("%s, and %zu more change%s (--diff shows them)", one, own->n_changes - 1,
                      own->n_changes == 2 ? "" : "s");
}

/* Returns a text about the edits of this finding, or NULL if it has none. The caller frees it. */
static char *describe_own(const struct run *r, size_t index)
{
    const struct found_item *item = r->items[index];
    const struct own own = edits_of(r, index);
    if (own.count == 0)
        return NULL;
    cleanup_mem char *wrapped = wrap(r, &own);
    cleanup_mem char *said = wrapped != NULL      ? mem_strdup(wrapped)
                             : own.n_changes == 1 ? describe(item, own.edits[0])
                                                  : describe_nearest(item, &own);
    return mem_printf("fix: %s", said);
}

/* The items that have the fix of the one at `first`, which is the first of them. The caller frees both lists.
 */
static struct run run_of(const struct found *found, size_t first, const struct output_place *place)
{
    struct run run = {.items = mem_array(found->count - first, sizeof(struct found_item *)), .place = place};
    for (size_t i = first; i < found->count; i++) {
        if (found->items[i].fix == found->items[first].fix)
            run.items[run.count++] = &found->items[i];
    }
    const struct output_fix *fix = found->items[first].fix;
    run.owners = mem_array(fix->n_edits, sizeof *run.owners);
    for (size_t i = 0; i < fix->n_edits; i++)
        run.owners[i] = owner_of(&run, &fix->edits[i]);
    return run;
}

static bool is_first(const struct found *found, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (found->items[i].fix == found->items[index].fix)
            return false;
    }
    return true;
}

/* Gives each finding that a correction is about its part of the correction. */
static void put_fixes(struct found *found, const struct output_place *place)
{
    for (size_t i = 0; i < found->count; i++) {
        if (found->items[i].fix == NULL || !is_first(found, i))
            continue;
        const struct run run = run_of(found, i, place);
        for (size_t k = 0; k < run.count; k++) {
            run.items[k]->remedy = describe_own(&run, k);
            run.items[k]->is_fixable = run.items[k]->remedy != NULL;
        }
        mem_free(run.owners);
        mem_free(run.items);
    }
}

void remedy_put(struct found *found, const struct output_place *place)
{
    put_fixes(found, place);
    for (size_t i = 0; i < found->count; i++) {
        struct found_item *item = &found->items[i];
        const bool has_words = *item->hint != '\0' && (item->fix == NULL || item->fix->has_words);
        if (!has_words)
            continue;
        mem_free(item->remedy);
        item->remedy = mem_strdup(item->hint);
    }
}
