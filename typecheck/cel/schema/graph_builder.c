#include "typecheck/cel/schema/graph_builder.h"

#include <string.h>

#include "typecheck/base/sort.h"
#include "typecheck/base/suggest.h"
#include "typecheck/cel/schema/property_name.h"

#define BUILDER_BYTES ((size_t)128 * 1024 * 1024)

/* The most bytes of an arena's block that no allocation can use. */
#define BLOCK_HEADER_BYTES ((size_t)4 * ARENA_ALIGN)

void schema_graph_init(struct schema_graph *b)
{
    memset(b, 0, sizeof *b);
    arena_init(&b->arena, BUILDER_BYTES);
}

void schema_graph_deinit(struct schema_graph *b)
{
    arena_deinit(&b->arena);
}

/* Makes room for one more element of one of the graph's arrays. */
static void *reserve(struct schema_graph *b, void *array, uint32_t count, size_t *cap, size_t size)
{
    if (count >= SCHEMA_MAX_NODES)
        arena_fail(&b->arena, ARENA_BUDGET);
    return count < *cap ? array : arena_room(&b->arena, array, cap, SCHEMA_GRAPH_ROOM, size);
}

static uint32_t hash_bytes(const void *bytes, size_t len)
{
    return str_hash((struct str){bytes, len});
}

/* Returns true if an element of the array that a table indexes is equal to the key. */
typedef bool table_equal(const struct schema_graph *b, uint32_t index, const void *key);

static void table_insert(struct schema_graph_table *t, uint32_t hash, uint32_t index)
{
    uint32_t i = hash & (t->capacity - 1);
    while (t->slots[i].index != 0)
        i = (i + 1) & (t->capacity - 1);
    t->slots[i] = (struct schema_graph_slot){index + 1, hash};
}

static void table_grow(struct schema_graph *b, struct schema_graph_table *t)
{
    struct schema_graph_table grown = {.capacity = t->capacity == 0 ? 2 * SCHEMA_GRAPH_ROOM : 2 * t->capacity,
                                       .count = t->count};
    grown.slots = ARENA_ARRAY(&b->arena, grown.capacity, struct schema_graph_slot);
    for (uint32_t i = 0; i < t->capacity; i++) {
        if (t->slots[i].index != 0)
            table_insert(&grown, t->slots[i].hash, t->slots[i].index - 1);
    }
    *t = grown;
}

/* The index of an element equal to `key`, or `fresh` after it was entered under that index. */
static uint32_t table_intern(struct schema_graph *b, struct schema_graph_table *t, table_equal *equal,
                             uint32_t hash, const void *key, uint32_t fresh)
{
    if (2 * (t->count + 1) > t->capacity)
        table_grow(b, t);
    for (uint32_t i = hash & (t->capacity - 1); t->slots[i].index != 0; i = (i + 1) & (t->capacity - 1)) {
        const struct schema_graph_slot *slot = &t->slots[i];
        if (slot->hash == hash && equal(b, slot->index - 1, key))
            return slot->index - 1;
    }
    if (t->count >= SCHEMA_MAX_NODES)
        arena_fail(&b->arena, ARENA_BUDGET);
    t->count++;
    table_insert(t, hash, fresh);
    return fresh;
}

/* Strings */

static bool string_equal(const struct schema_graph *b, uint32_t index, const void *key)
{
    return str_eq(str_of(b->graph.strings + index), *(const struct str *)key);
}

uint32_t schema_graph_string(struct schema_graph *b, struct str s)
{
    struct schema *g = &b->graph;
    uint32_t fresh = g->string_bytes;
    uint32_t index = table_intern(b, &b->string_table, string_equal, str_hash(s), &s, fresh);
    if (index != fresh)
        return index;
    if (s.len >= BUILDER_BYTES / 4 || fresh >= BUILDER_BYTES / 4)
        arena_fail(&b->arena, ARENA_BUDGET);
    uint32_t need = fresh + (uint32_t)s.len + 1;
    if (need > b->string_cap) {
        g->strings = arena_grow(&b->arena, g->strings, b->string_cap, 2 * (size_t)need, 1);
        b->string_cap = 2 * (size_t)need;
    }
    if (s.len != 0)
        memcpy(g->strings + fresh, s.at, s.len);
    g->string_bytes = need;
    return fresh;
}

/* Nodes are compared as bytes: they have no padding. */

static bool node_equal(const struct schema_graph *b, uint32_t index, const void *key)
{
    return memcmp(&b->graph.nodes[index], key, sizeof(struct schema_node)) == 0;
}

static uint32_t append_node(struct schema_graph *b, const struct schema_node *node)
{
    struct schema *g = &b->graph;
    if (b->has_places) {
        g->places = reserve(b, g->places, g->node_count, &b->place_cap, sizeof *g->places);
        g->places[g->node_count] = (struct schema_place)SCHEMA_PLACE_INIT;
    }
    g->nodes = reserve(b, g->nodes, g->node_count, &b->node_cap, sizeof *g->nodes);
    g->nodes[g->node_count] = *node;
    if (node->component == SCHEMA_MISSING_REF)
        g->has_missing_ref = true;
    return g->node_count++;
}

uint32_t schema_graph_node(struct schema_graph *b, const struct schema_node *node)
{
    if (b->has_places)
        return append_node(b, node);
    uint32_t fresh = b->graph.node_count;
    uint32_t index = table_intern(b, &b->node_table, node_equal, hash_bytes(node, sizeof *node), node, fresh);
    return index != fresh ? index : append_node(b, node);
}

uint32_t schema_graph_component_node(struct schema_graph *b, uint32_t node)
{
    struct schema_node copy = b->graph.nodes[node];
    return append_node(b, &copy);
}

/* Property lists */

static bool list_equal(const struct schema_graph *b, uint32_t index, const void *key)
{
    const struct schema_property *list = key;
    const struct schema_graph_list *known = &b->lists[index], *sought = &b->lists[b->list_count];
    return known->count == sought->count &&
           memcmp(&b->graph.properties[known->first], list, known->count * sizeof *list) == 0;
}

uint32_t schema_graph_properties(struct schema_graph *b, const struct schema_property *list, uint32_t count)
{
    struct schema *g = &b->graph;
    if (count == 0)
        return 0;
    b->lists = reserve(b, b->lists, b->list_count, &b->list_cap, sizeof *b->lists);
    b->lists[b->list_count] =
        (struct schema_graph_list){g->property_count, count, hash_bytes(list, count * sizeof *list)};
    uint32_t fresh = b->list_count;
    uint32_t index = table_intern(b, &b->list_table, list_equal, b->lists[fresh].hash, list, fresh);
    if (index != fresh)
        return b->lists[index].first;
    b->list_count++;
    for (uint32_t i = 0; i < count; i++) {
        g->properties = reserve(b, g->properties, g->property_count, &b->property_cap, sizeof *g->properties);
        g->properties[g->property_count++] = list[i];
    }
    return b->lists[fresh].first;
}

void schema_graph_kind(struct schema_graph *b, struct schema_kind kind)
{
    struct schema *g = &b->graph;
    g->kinds = reserve(b, g->kinds, g->kind_count, &b->kind_cap, sizeof *g->kinds);
    g->kinds[g->kind_count++] = kind;
}

uint8_t schema_graph_note(struct schema_graph *b, const struct schema_note *note)
{
    struct schema *g = &b->graph;
    for (uint32_t i = 0; i < g->note_count; i++) {
        if (g->notes[i].default_text == note->default_text && g->notes[i].list_keys == note->list_keys)
            return (uint8_t)i;
    }
    if (g->note_count == SCHEMA_NOTE_LOST)
        return SCHEMA_NOTE_LOST;
    g->notes = reserve(b, g->notes, g->note_count, &b->note_cap, sizeof *g->notes);
    g->notes[g->note_count] = *note;
    return (uint8_t)g->note_count++;
}

/* A kind, and its place in the document. */
struct placed_kind {
    struct schema_kind kind;
    uint32_t place;
};

static int kind_order(const void *left, const void *right, void *strings)
{
    const struct placed_kind *l = left, *r = right;
    const char *at = strings;
    int order = strcmp(at + l->kind.kind, at + r->kind.kind);
    if (order == 0)
        order = strcmp(at + l->kind.version, at + r->kind.version);
    if (order == 0)
        order = strcmp(at + l->kind.group, at + r->kind.group);
    return order != 0 ? order : (l->place > r->place) - (l->place < r->place);
}

/* Sorts the kinds for schema_find. Components of the same kind keep the order of the document. */
static void sort_kinds(struct schema_graph *b)
{
    struct schema *g = &b->graph;
    struct placed_kind *list = ARENA_ARRAY(&b->arena, g->kind_count + (size_t)1, struct placed_kind);
    for (uint32_t i = 0; i < g->kind_count; i++)
        list[i] = (struct placed_kind){g->kinds[i], i};
    sort_by(list, g->kind_count, sizeof *list, kind_order, g->strings);
    for (uint32_t i = 0; i < g->kind_count; i++)
        g->kinds[i] = list[i].kind;
}

void schema_graph_begin(struct schema_graph *b, bool has_places)
{
    static const struct schema_node nothing;
    b->has_places = has_places;
    schema_graph_string(b, STR(""));
    (void)schema_graph_note(b, &(struct schema_note){0, 0});
    append_node(b, &nothing); /* not interned: a schema {} is a node of its own */
}

/* Bits for each slot of the table of strings, which has at least two slots for a string: so at most one in
 * eight strings that are not in the document is looked for in vain. */
enum { BITS_PER_SLOT = 4 };

/* Makes the set of all strings (struct schema). */
static void collect_strings(struct schema_graph *b)
{
    struct schema *g = &b->graph;
    const struct schema_graph_table *table = &b->string_table;
    g->hash_bits = table->capacity * BITS_PER_SLOT;
    g->hashes = ARENA_ARRAY(&b->arena, g->hash_bits / 8, uint8_t);
    for (uint32_t i = 0; i < table->capacity; i++) {
        const uint32_t bit = table->slots[i].hash & (g->hash_bits - 1);
        if (table->slots[i].index != 0)
            g->hashes[bit / 8] |= (uint8_t)(1u << bit % 8);
    }
}

/* A name that may be escaped has the letters of another one. */
static void collect_letters(struct schema_graph *b)
{
    struct schema *g = &b->graph;
    g->letters = ARENA_ARRAY(&b->arena, g->property_count, uint32_t);
    for (uint32_t i = 0; i < g->property_count; i++) {
        const char *name = g->strings + g->properties[i].name;
        const bool is_escaped = strstr(name, "__") != NULL;
        g->letters[i] = is_escaped ? 0 : suggest_set(str_of(name + property_name_is_quoted(str_of(name))));
    }
}

static size_t aligned(size_t bytes)
{
    return (bytes + ARENA_ALIGN - 1) & ~(ARENA_ALIGN - 1);
}

enum { PARTS = 9 };

/* The sizes of a graph's arrays, and all of it in one piece. */
static size_t part_bytes(const struct schema *g, size_t bytes[static PARTS])
{
    size_t total = aligned(sizeof *g);
    bytes[0] = g->node_count * sizeof *g->nodes;
    bytes[1] = g->property_count * sizeof *g->properties;
    bytes[2] = g->string_bytes;
    bytes[3] = g->component_count * sizeof *g->components;
    bytes[4] = g->kind_count * sizeof *g->kinds;
    bytes[5] = g->places == NULL ? 0 : g->node_count * sizeof *g->places;
    bytes[6] = g->note_count * sizeof *g->notes;
    bytes[7] = g->hash_bits / 8;
    bytes[8] = g->property_count * sizeof *g->letters;
    for (size_t i = 0; i < PARTS; i++)
        total += aligned(bytes[i]);
    return total;
}

static struct schema *copy_graph(struct arena *a, const struct schema *g)
{
    const void *from[PARTS] = {g->nodes,  g->properties, g->strings, g->components, g->kinds,
                               g->places, g->notes,      g->hashes,  g->letters};
    void *to[PARTS];
    size_t bytes[PARTS], total = part_bytes(g, bytes);
    struct schema *doc = arena_alloc(a, total);
    char *next = (char *)doc + aligned(sizeof *doc);
    for (size_t i = 0; i < PARTS; i++) {
        to[i] = next;
        next += aligned(bytes[i]);
        if (bytes[i] != 0)
            memcpy(to[i], from[i], bytes[i]);
    }
    *doc = *g;
    doc->nodes = to[0];
    doc->properties = to[1];
    doc->strings = to[2];
    doc->components = to[3];
    doc->kinds = to[4];
    doc->places = bytes[5] == 0 ? NULL : to[5];
    doc->notes = to[6];
    doc->hashes = to[7];
    doc->letters = to[8];
    return doc;
}

/* Copies the graph into the arena; NULL if there is no memory. */
static struct schema *copy_within(struct arena *a, const struct schema *graph)
{
    if (setjmp(a->escape) != 0)
        return NULL;
    return copy_graph(a, graph);
}

/* Copies the graph into a block of just its size: the first block of an arena is at most as large as its
 * budget. */
struct schema *schema_graph_freeze(struct schema_graph *b)
{
    struct arena a;
    size_t bytes[PARTS];
    sort_kinds(b);
    collect_strings(b);
    collect_letters(b);
    arena_init(&a, part_bytes(&b->graph, bytes) + BLOCK_HEADER_BYTES);
    struct schema *doc = copy_within(&a, &b->graph);
    if (doc == NULL)
        arena_deinit(&a);
    else
        doc->arena = a; /* from here on the document lies in the arena that it holds */
    return doc;
}
