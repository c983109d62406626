#include "typecheck/cel/schema/schema_document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "typecheck/cel/schema/crd_type.h"
#include "typecheck/cel/schema/keywords.h"

/*
 * A document is read twice: first all of it is judged as JSON and its
 * components are found, since any schema may refer to any other; then each
 * component's schema is read. Both go on from where they stopped.
 */

/* Objects around a component's schema: the document, components, schemas. */
#define SCHEMAS_DEPTH 3

/* A component's name and where its schema begins. */
struct found {
    struct str name;
    size_t at;
    uint32_t component;
};

enum phase { PHASE_FIND, PHASE_NAME, PHASE_READ, PHASE_FREEZE };

/* The object whose members come next, while components are found. */
enum inside { INSIDE_NOTHING, INSIDE_DOCUMENT, INSIDE_COMPONENTS, INSIDE_SCHEMAS };

struct schema_reader {
    struct keywords reader;
    const struct schema_definition *definition; /* of a CustomResourceDefinition; NULL: an OpenAPI document */
    enum phase phase;
    enum inside inside;
    struct found *found; /* components, in the order of the text */
    size_t found_count, found_cap;
    uint32_t next; /* of those the one that is read; SITES are of it */
    struct keywords_site components, schemas, site;
    bool is_object, has_bad_components, has_bad_schemas;
    bool is_limit;
    bool has_ended;
    struct schema *doc;
    char message[SCHEMA_MESSAGE_BYTES];
};

static void enter(struct schema_reader *d, enum inside inside)
{
    jsonread_open(&d->reader.in);
    d->inside = inside;
}

static void skip_value(struct schema_reader *d)
{
    jsonread_skip_begin(&d->reader.in, &d->reader.skipping);
    d->reader.is_skipping = true;
}

/* The member of which the value comes next; of components.schemas each is a component. */
static void find_in(struct schema_reader *d, struct str key)
{
    const enum jsonread_type type = jsonread_peek(&d->reader.in);
    const bool is_bad = type != JSONREAD_OBJECT && type != JSONREAD_NULL;
    if (d->inside == INSIDE_SCHEMAS) {
        ARENA_ROOM(&d->reader.builder.arena, d->found, d->found_count, d->found_cap, SCHEMA_GRAPH_ROOM);
        if (!keywords_has_nul(key))
            d->found[d->found_count++] = (struct found){.name = key, .at = d->reader.in.at};
        skip_value(d);
        return;
    }
    if (!str_eq(key, d->inside == INSIDE_DOCUMENT ? STR("components") : STR("schemas"))) {
        skip_value(d);
        return;
    }
    /* of a key that comes several times the last counts */
    d->found_count = 0;
    d->has_bad_schemas = d->inside == INSIDE_COMPONENTS && is_bad;
    if (d->inside == INSIDE_DOCUMENT)
        d->has_bad_components = is_bad;
    if (type == JSONREAD_OBJECT)
        enter(d, d->inside + 1);
    else
        skip_value(d);
}

static _Noreturn void refuse_malformed(struct schema_reader *d)
{
    d->is_limit = d->reader.in.error == JSONREAD_TOO_DEEP;
    snprintf(d->reader.message, d->reader.message_size, "malformed JSON at byte %zu: %s", d->reader.in.at,
             jsonread_message(d->reader.in.error));
    arena_fail(&d->reader.builder.arena, ARENA_OK);
}

static void begin_finding(struct schema_reader *d)
{
    d->components = (struct keywords_site){NULL, STR("components")};
    d->schemas = (struct keywords_site){&d->components, STR("schemas")};
    d->is_object = jsonread_peek(&d->reader.in) == JSONREAD_OBJECT;
    if (d->is_object)
        enter(d, INSIDE_DOCUMENT);
    else
        skip_value(d);
}

/* Judges the text until the offset. Returns true if it has reached the end; the components are then in
 * d->found. */
static bool find_components(struct schema_reader *d, size_t until)
{
    struct jsonread *in = &d->reader.in;
    while ((d->inside != INSIDE_NOTHING || d->reader.is_skipping) && in->at < until) {
        struct str key;
        if (d->reader.is_skipping)
            d->reader.is_skipping = !jsonread_skip_until(in, &d->reader.skipping, until);
        else if (jsonread_member(in, &key))
            find_in(d, key);
        else
            d->inside--;
    }
    if (d->inside != INSIDE_NOTHING || d->reader.is_skipping)
        return false;
    if (!jsonread_end(in))
        refuse_malformed(d);
    if (!d->is_object)
        keywords_refuse(&d->reader, &(struct keywords_site){NULL, STR("document")}, "not an object");
    if (d->has_bad_components || d->has_bad_schemas)
        keywords_refuse(&d->reader, d->has_bad_components ? &d->components : &d->schemas, "not an object");
    return true;
}

static int name_order(const void *left, const void *right)
{
    const struct found *l = left, *r = right;
    int order = str_cmp(l->name, r->name);
    return order != 0 ? order : (l->at > r->at) - (l->at < r->at);
}

static int text_order(const void *left, const void *right)
{
    const struct found *l = left, *r = right;
    return (l->at > r->at) - (l->at < r->at);
}

/* Gives each name its component, sorted; a component that another of the same name replaces is dropped from
 * d->found. */
static void name_components(struct schema_reader *d)
{
    struct schema_graph *b = &d->reader.builder;
    struct schema *g = &b->graph;
    uint32_t kept = 0;
    if (d->found_count == 0)
        return; /* qsort takes no NULL */
    qsort(d->found, d->found_count, sizeof *d->found, name_order);
    for (size_t i = 0; i < d->found_count; i++) {
        if (i + 1 == d->found_count || !str_eq(d->found[i].name, d->found[i + 1].name))
            d->found[kept++] = d->found[i];
    }
    d->found_count = kept;
    g->components = ARENA_ARRAY(&b->arena, kept, struct schema_component);
    for (; g->component_count < kept; g->component_count++) {
        struct found *f = &d->found[g->component_count];
        f->component = g->component_count;
        g->components[g->component_count].name = schema_graph_string(b, f->name);
    }
    qsort(d->found, d->found_count, sizeof *d->found, text_order);
}

static void begin_component(struct schema_reader *d)
{
    const struct found *f = &d->found[d->next];
    d->site = (struct keywords_site){&d->schemas, f->name};
    d->reader.in.at = f->at;
    d->reader.in.depth = SCHEMAS_DEPTH;
    keywords_begin(&d->reader, &d->site, f->component);
}

/* Returns true if all components were read. */
static bool read_components(struct schema_reader *d, size_t most)
{
    struct schema_graph *b = &d->reader.builder;
    for (size_t read = 0; d->next < d->found_count && read < most;) {
        const size_t from = d->reader.in.at;
        if (!keywords_read(&d->reader, from + (most - read)))
            return false;
        read += d->reader.in.at - from;
        b->graph.components[d->found[d->next].component].node =
            schema_graph_component_node(b, d->reader.node);
        if (++d->next < d->found_count)
            begin_component(d);
    }
    return d->next == d->found_count;
}

static void freeze(struct schema_reader *d)
{
    d->doc = schema_graph_freeze(&d->reader.builder);
    if (d->doc == NULL)
        snprintf(d->reader.message, d->reader.message_size, "out of memory");
    d->has_ended = true;
}

/* Reads one slice: about `most` bytes of the text. */
static void go_on(struct schema_reader *d, size_t most)
{
    switch (d->phase) {
    case PHASE_FIND:
        if (d->reader.in.at == 0)
            begin_finding(d);
        d->phase += find_components(d, d->reader.in.at + most);
        return;
    case PHASE_NAME:
        name_components(d);
        if (d->found_count > 0)
            begin_component(d);
        d->phase++;
        return;
    case PHASE_READ:
        d->phase += read_components(d, most);
        return;
    case PHASE_FREEZE:
        freeze(d);
        return;
    }
}

/* Refuses a malformed text rather than what is wrong with the keywords before the mistake. */
static void judge_single(struct schema_reader *d)
{
    jsonread_skip(&d->reader.in);
    if (!jsonread_end(&d->reader.in))
        refuse_malformed(d);
    d->reader.in.at = 0;
}

static void read_single(struct schema_reader *d)
{
    d->site = (struct keywords_site){NULL, STR("schema")};
    if (!d->reader.is_definition) /* nothing is wrong with its keywords */
        judge_single(d);
    keywords_begin(&d->reader, &d->site, KEYWORDS_NO_COMPONENT);
    (void)keywords_read(&d->reader, SIZE_MAX);
    if (!jsonread_end(&d->reader.in))
        refuse_malformed(d);
    d->reader.builder.graph.root = d->reader.node;
}

static void read_definition(struct schema_reader *d)
{
    struct schema *g = &d->reader.builder.graph;
    g->bounds_names = d->definition->bounds_names;
    g->ignores_int_or_string_length = d->definition->ignores_int_or_string_length;
    if (d->definition->is_resource && g->root != 0)
        g->nodes[g->root].flags |= SCHEMA_EMBEDDED_RESOURCE;
    crd_type_measure(g);
}

static void read_whole(struct schema_reader *d, size_t most)
{
    (void)most;
    read_single(d);
    if (d->definition != NULL)
        read_definition(d);
    freeze(d);
}

/* Runs `part` over an armed builder. */
static void run(struct schema_reader *d, void (*part)(struct schema_reader *d, size_t most), size_t most)
{
    if (setjmp(d->reader.builder.arena.escape) != 0) {
        d->has_ended = true;
        if (d->reader.builder.arena.failure == ARENA_BUDGET) {
            d->is_limit = true;
            snprintf(d->reader.message, d->reader.message_size, "the schemas are too large");
        }
        return;
    }
    if (d->reader.builder.graph.nodes == NULL)
        schema_graph_begin(&d->reader.builder, d->definition != NULL);
    part(d, most);
}

static void init(struct schema_reader *d, struct str text)
{
    d->reader.message = d->message;
    d->reader.message_size = sizeof d->message;
    schema_graph_init(&d->reader.builder);
    jsonread_init(&d->reader.in, text, &d->reader.builder.arena);
    d->has_ended = d->is_limit = text.len > SCHEMA_MAX_DOCUMENT_BYTES;
    if (d->is_limit)
        snprintf(d->reader.message, d->reader.message_size,
                 "the document has %zu bytes, more than the limit of %zu", text.len,
                 SCHEMA_MAX_DOCUMENT_BYTES);
}

static struct schema *end(struct schema_reader *d, char *message, size_t message_size, bool *is_limit)
{
    schema_graph_deinit(&d->reader.builder);
    if (d->doc == NULL && message != NULL)
        snprintf(message, message_size, "%s", d->message);
    if (is_limit != NULL)
        *is_limit = d->is_limit;
    return d->doc;
}

/* A reader, and the arena of its own in which it lies. */
struct holder {
    struct arena arena;
    struct schema_reader reader;
};

struct schema_reader *schema_reader_new(const char *json, size_t len)
{
    struct arena a;
    struct holder *h = arena_init_holder(&a, SIZE_MAX, sizeof *h);
    if (h == NULL)
        return NULL;
    h->arena = a;
    init(&h->reader, (struct str){json, len});
    return &h->reader;
}

bool schema_reader_step(struct schema_reader *reader, size_t most_bytes)
{
    if (!reader->has_ended)
        run(reader, go_on, most_bytes);
    return !reader->has_ended;
}

struct schema *schema_reader_end(struct schema_reader *reader, char *message, size_t message_size,
                                 bool *is_limit)
{
    struct holder *h = (struct holder *)(void *)((char *)reader - offsetof(struct holder, reader));
    struct schema *doc = end(reader, message, message_size, is_limit);
    struct arena a = h->arena;
    arena_deinit(&a);
    return doc;
}

struct schema *schema_new(const char *json, size_t len, char *message, size_t message_size, bool *is_limit)
{
    struct schema_reader d = {.is_limit = false};
    init(&d, (struct str){json, len});
    while (!d.has_ended)
        run(&d, go_on, SIZE_MAX / 2);
    return end(&d, message, message_size, is_limit);
}

static struct schema *read_one(struct schema_reader *d, const char *json, size_t len, char *message,
                               size_t message_size)
{
    init(d, (struct str){json, len});
    if (!d->has_ended)
        run(d, read_whole, 0);
    return end(d, message, message_size, NULL);
}

struct schema *schema_new_single(const char *json, size_t len, char *message, size_t message_size)
{
    struct schema_reader d = {.is_limit = false};
    return read_one(&d, json, len, message, message_size);
}

struct schema *schema_new_definition(const char *json, size_t len, const struct schema_definition *definition)
{
    struct schema_reader d = {.reader = {.is_definition = true}, .definition = definition};
    return read_one(&d, json, len, NULL, 0);
}

bool schema_definition_reads(struct str keyword)
{
    return keywords_is_of_definitions(keyword);
}

void schema_free(struct schema *doc)
{
    if (doc == NULL)
        return;
    struct arena a = doc->arena; /* which holds the document too */
    arena_deinit(&a);
}

const struct schema_node *schema_root(const struct schema *doc)
{
    return &doc->nodes[doc->root];
}

size_t schema_bytes(const struct schema *doc)
{
    return doc->arena.used_bytes;
}

static int compare_kind(const struct schema *doc, const struct schema_kind *k, struct str group,
                        struct str version, struct str kind)
{
    int order = str_cmp(str_of(doc->strings + k->kind), kind);
    if (order == 0)
        order = str_cmp(str_of(doc->strings + k->version), version);
    return order != 0 ? order : str_cmp(str_of(doc->strings + k->group), group);
}

/* The components that a kind needs, each once. */
struct closure {
    const struct schema *doc;
    uint8_t *seen;
    uint32_t *queue;
    uint32_t count;
};

static bool reaches_missing(struct closure *c, uint32_t index);

static bool has_missing_below(struct closure *c, const struct schema_node *node)
{
    for (uint32_t i = 0; i < node->property_count; i++) {
        if (reaches_missing(c, c->doc->properties[node->properties + i].node))
            return true;
    }
    return (node->items != 0 && reaches_missing(c, node->items)) ||
           (node->additional != 0 && reaches_missing(c, node->additional));
}

/* Returns true if there is a $ref that nothing answers; others join the queue. Recurses at most as deep as
 * the text. */
static bool reaches_missing(struct closure *c, uint32_t index)
{
    const struct schema_node *node = &c->doc->nodes[index];
    if (node->component == SCHEMA_MISSING_REF)
        return true;
    if (node->component == 0)
        return has_missing_below(c, node);
    if (!c->seen[node->component - 1]) {
        c->seen[node->component - 1] = 1;
        c->queue[c->count++] = node->component - 1;
    }
    return false;
}

static bool needs_missing(struct arena *a, const struct schema *doc, uint32_t node)
{
    struct closure c = {
        .doc = doc,
        .seen = ARENA_ARRAY(a, doc->component_count, uint8_t),
        .queue = ARENA_ARRAY(a, doc->component_count, uint32_t),
    };
    bool is_missing = reaches_missing(&c, node);
    for (uint32_t i = 0; i < c.count && !is_missing; i++)
        is_missing = has_missing_below(&c, &doc->nodes[doc->components[c.queue[i]].node]);
    return is_missing;
}

/* Returns false also if there is no memory to find out. */
static bool does_without_missing(struct arena *a, const struct schema *doc, uint32_t node)
{
    if (setjmp(a->escape) != 0)
        return false;
    return !needs_missing(a, doc, node);
}

/* A schema from which a $ref leads nowhere is to upstream one that is not there. */
static bool is_whole(const struct schema *doc, uint32_t node)
{
    if (!doc->has_missing_ref)
        return true;
    struct arena a;
    arena_init(&a, doc->component_count * (sizeof(uint32_t) + 1) + (size_t)64 * 1024);
    bool whole = does_without_missing(&a, doc, node);
    arena_deinit(&a);
    return whole;
}

const struct schema_node *schema_find(const struct schema *doc, struct str group, struct str version,
                                      struct str kind)
{
    uint32_t low = 0, high = doc->kind_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_kind(doc, &doc->kinds[middle], group, version, kind) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == doc->kind_count || compare_kind(doc, &doc->kinds[low], group, version, kind) != 0)
        return NULL;
    uint32_t node = doc->components[doc->kinds[low].component].node;
    return is_whole(doc, node) ? &doc->nodes[node] : NULL;
}
