#include "typecheck/cel/schema/graph_digest.h"

#include <string.h>

/* Odd numbers with no pattern in their bits. */
#define FIRST_PRIME  0x9E3779B97F4A7C15u
#define SECOND_PRIME 0xBF58476D1CE4E5B9u

/* Nodes that are visited for all kinds of a document together. */
#define VISITS_MAX ((size_t)1000 * 1000)

/* The nodes in the order in which they were reached first. The same schema has the same order, wherever its
 * nodes lie. */
struct walk {
    const struct schema *doc;
    uint32_t *order;
    uint32_t *places; /* by node: 1 + its place in the order; 0: it was not reached */
    uint32_t count;
    struct schema_digest digest;
};

void schema_digest_add_number(struct schema_digest *d, uint64_t number)
{
    d->first = (d->first ^ number) * FIRST_PRIME;
    d->first ^= d->first >> 32;
    d->second = (d->second + number) * SECOND_PRIME;
    d->second ^= d->second >> 29;
}

void schema_digest_add(struct schema_digest *d, struct str text)
{
    uint64_t word;
    schema_digest_add_number(d, text.len);
    for (size_t i = 0; i < text.len; i += sizeof word) {
        const size_t left = text.len - i;
        word = 0;
        memcpy(&word, text.at + i, left < sizeof word ? left : sizeof word);
        schema_digest_add_number(d, word);
    }
}

static void add_string(struct walk *w, uint32_t at)
{
    schema_digest_add(&w->digest, str_of(w->doc->strings + at));
}

/* Adds the place of a node, which is then to be visited. */
static void reach(struct walk *w, uint32_t node)
{
    if (node != 0 && w->places[node] == 0) {
        w->order[w->count++] = node;
        w->places[node] = w->count;
    }
    schema_digest_add_number(&w->digest, node == 0 ? 0 : w->places[node]);
}

static void add_component(struct walk *w, uint32_t component)
{
    const bool refers = component != 0 && component != SCHEMA_MISSING_REF;
    schema_digest_add_number(&w->digest, refers ? 1 : component);
    if (!refers)
        return;
    add_string(w, w->doc->components[component - 1].name);
    reach(w, w->doc->components[component - 1].node);
}

static void add_note(struct walk *w, uint8_t note)
{
    const bool has_note = note != 0 && note != SCHEMA_NOTE_LOST;
    schema_digest_add_number(&w->digest, has_note ? 1 : note);
    if (!has_note)
        return;
    add_string(w, w->doc->notes[note].default_text);
    add_string(w, w->doc->notes[note].list_keys);
}

static void visit(struct walk *w, const struct schema_node *n)
{
    schema_digest_add_number(&w->digest, n->type | (uint64_t)n->format << 8 | (uint64_t)n->flags << 16);
    schema_digest_add_number(&w->digest, n->property_count);
    add_note(w, n->note);
    schema_digest_add(&w->digest, schema_graph_enum(w->doc, n));
    add_component(w, n->component);
    reach(w, n->items);
    reach(w, n->additional);
    for (uint32_t i = 0; i < n->property_count; i++) {
        const struct schema_property *p = &w->doc->properties[n->properties + i];
        add_string(w, p->name);
        schema_digest_add_number(&w->digest, p->is_required);
        reach(w, p->node);
    }
}

/* A digest begins with values that are random for each process: nobody can prepare two schemas with one
 * digest. */
static struct schema_digest begin_digest(void)
{
    return (struct schema_digest){str_hash(STR("first")), str_hash(STR("second"))};
}

/* Returns how many nodes were visited. */
static size_t digest_kind(struct walk *w, struct schema_kind *kind)
{
    const struct schema_component *c = &w->doc->components[kind->component];
    w->digest = begin_digest();
    w->count = 0;
    add_string(w, c->name);
    reach(w, c->node);
    for (uint32_t i = 0; i < w->count; i++)
        visit(w, &w->doc->nodes[w->order[i]]);
    for (uint32_t i = 0; i < w->count; i++)
        w->places[w->order[i]] = 0;
    kind->digest = w->digest;
    return w->count;
}

static void digest_all(struct arena *a, struct schema *doc)
{
    struct walk w = {.doc = doc,
                     .order = ARENA_ARRAY(a, doc->node_count, uint32_t),
                     .places = ARENA_ARRAY(a, doc->node_count, uint32_t)};
    size_t visits = 0;
    for (uint32_t i = 0; i < doc->kind_count && visits < VISITS_MAX; i++)
        visits += digest_kind(&w, &doc->kinds[i]);
}

void schema_digest_kinds(struct schema *doc)
{
    struct arena a;
    arena_init(&a, SIZE_MAX);
    if (setjmp(a.escape) == 0)
        digest_all(&a, doc);
    arena_deinit(&a);
}

struct schema_digest schema_digest_of(const struct schema *doc, const struct schema_node *node)
{
    uint32_t i = 0;
    while (i < doc->kind_count && &doc->nodes[doc->components[doc->kinds[i].component].node] != node)
        i++;
    return i < doc->kind_count ? doc->kinds[i].digest : (struct schema_digest){0, 0};
}
