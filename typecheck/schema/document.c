#include "typecheck/schema/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "typecheck/schema/crd_type.h"
#include "typecheck/schema/keywords.h"

/*
 * A document is read twice: first all of it is judged as JSON and its
 * components are found, since any schema may refer to any other; then each
 * component's schema is read.
 */

/* Objects around a component's schema: the document, components, schemas. */
#define SCHEMAS_DEPTH 3

/* A component's name and where its schema begins. */
struct found {
    struct str name;
    size_t at;
    uint32_t component;
};

struct document {
    struct keywords reader;
    struct found *found; /* components, in the order of the text */
    uint32_t found_count, found_cap;
    bool is_limit;
};

/* The members of components.schemas. */
static void find_schemas(struct document *d)
{
    d->found_count = 0;
    jsonread_open(&d->reader.in);
    for (struct str name; jsonread_member(&d->reader.in, &name);) {
        d->found =
            schema_graph_grow(&d->reader.builder, d->found, d->found_count, &d->found_cap, sizeof *d->found);
        if (!keywords_has_nul(name))
            d->found[d->found_count++] = (struct found){.name = name, .at = d->reader.in.at};
        jsonread_skip(&d->reader.in);
    }
}

/* The object components. */
static void find_components(struct document *d, bool *is_bad)
{
    jsonread_open(&d->reader.in);
    for (struct str key; jsonread_member(&d->reader.in, &key);) {
        if (!str_eq(key, STR("schemas"))) {
            jsonread_skip(&d->reader.in);
            continue;
        }
        enum jsonread_type type = jsonread_peek(&d->reader.in);
        d->found_count = 0;
        *is_bad = type != JSONREAD_OBJECT && type != JSONREAD_NULL;
        if (type == JSONREAD_OBJECT)
            find_schemas(d);
        else
            jsonread_skip(&d->reader.in);
    }
}

static _Noreturn void refuse_malformed(struct document *d)
{
    d->is_limit = d->reader.in.error == JSONREAD_TOO_DEEP;
    snprintf(d->reader.message, d->reader.message_size, "malformed JSON at byte %zu: %s", d->reader.in.at,
             jsonread_message(d->reader.in.error));
    arena_fail(&d->reader.builder.arena, ARENA_OK);
}

/* Judges the whole text, and leaves the components in d->found. */
static void find_document(struct document *d)
{
    const struct keywords_site components = {NULL, STR("components")},
                               schemas = {&components, STR("schemas")};
    bool has_bad_components = false, has_bad_schemas = false;
    bool is_object = jsonread_peek(&d->reader.in) == JSONREAD_OBJECT;
    if (is_object)
        jsonread_open(&d->reader.in);
    else
        jsonread_skip(&d->reader.in);
    for (struct str key; is_object && jsonread_member(&d->reader.in, &key);) {
        if (!str_eq(key, STR("components"))) {
            jsonread_skip(&d->reader.in);
            continue;
        }
        enum jsonread_type type = jsonread_peek(&d->reader.in);
        d->found_count = 0;
        has_bad_components = type != JSONREAD_OBJECT && type != JSONREAD_NULL;
        has_bad_schemas = false;
        if (type == JSONREAD_OBJECT)
            find_components(d, &has_bad_schemas);
        else
            jsonread_skip(&d->reader.in);
    }
    if (!jsonread_end(&d->reader.in))
        refuse_malformed(d);
    if (!is_object)
        keywords_refuse(&d->reader, &(struct keywords_site){NULL, STR("document")}, "not an object");
    if (has_bad_components || has_bad_schemas)
        keywords_refuse(&d->reader, has_bad_components ? &components : &schemas, "not an object");
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

/* Gives each name its component, sorted; what another of the same name replaces is dropped from d->found. */
static void name_components(struct document *d)
{
    struct schema_graph *b = &d->reader.builder;
    struct schema *g = &b->graph;
    uint32_t kept = 0;
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

static void read_document(struct document *d)
{
    const struct keywords_site components = {NULL, STR("components")},
                               schemas = {&components, STR("schemas")};
    struct schema_graph *b = &d->reader.builder;
    find_document(d);
    if (d->found_count == 0)
        return;
    name_components(d);
    for (size_t i = 0; i < d->found_count; i++) {
        const struct found *f = &d->found[i];
        d->reader.in.at = f->at;
        d->reader.in.depth = SCHEMAS_DEPTH;
        uint32_t node = keywords_read(&d->reader, &(struct keywords_site){&schemas, f->name}, f->component);
        b->graph.components[f->component].node = schema_graph_component_node(b, node);
    }
}

static void read_single(struct document *d)
{
    jsonread_skip(&d->reader.in);
    if (!jsonread_end(&d->reader.in))
        refuse_malformed(d);
    d->reader.in.at = 0;
    d->reader.builder.graph.root =
        keywords_read(&d->reader, &(struct keywords_site){NULL, STR("schema")}, KEYWORDS_NO_COMPONENT);
}

static void read_definition(struct document *d)
{
    struct schema *g = &d->reader.builder.graph;
    read_single(d);
    g->bounds_names = d->reader.definition->bounds_names;
    g->ignores_int_or_string_length = d->reader.definition->ignores_int_or_string_length;
    if (d->reader.definition->is_resource && g->root != 0)
        g->nodes[g->root].flags |= SCHEMA_EMBEDDED_RESOURCE;
    crd_type_measure(g);
}

/* Runs `read` over an armed builder; NULL when it ended early. */
static struct schema *run(struct document *d, void (*read)(struct document *))
{
    if (setjmp(d->reader.builder.arena.escape) != 0) {
        if (d->reader.builder.arena.failure == ARENA_BUDGET) {
            d->is_limit = true;
            snprintf(d->reader.message, d->reader.message_size, "the schemas are too large");
        }
        return NULL;
    }
    schema_graph_begin(&d->reader.builder, d->reader.definition != NULL);
    read(d);
    struct schema *doc = schema_graph_freeze(&d->reader.builder);
    if (doc == NULL)
        snprintf(d->reader.message, d->reader.message_size, "out of memory");
    return doc;
}

static struct schema *build(struct document *d, struct str text, void (*read)(struct document *))
{
    if (text.len > SCHEMA_MAX_DOCUMENT_BYTES) {
        snprintf(d->reader.message, d->reader.message_size,
                 "the document has %zu bytes, more than the limit of %zu", text.len,
                 SCHEMA_MAX_DOCUMENT_BYTES);
        d->is_limit = true;
        return NULL;
    }
    schema_graph_init(&d->reader.builder);
    jsonread_init(&d->reader.in, text, &d->reader.builder.arena);
    struct schema *doc = run(d, read);
    schema_graph_deinit(&d->reader.builder);
    return doc;
}

struct schema *schema_new(const char *json, size_t len, char *message, size_t message_size, bool *is_limit)
{
    struct document d = {.reader = {.message = message, .message_size = message_size}};
    struct schema *doc = build(&d, (struct str){json, len}, read_document);
    if (is_limit != NULL)
        *is_limit = d.is_limit;
    return doc;
}

struct schema *schema_new_single(const char *json, size_t len, char *message, size_t message_size)
{
    struct document d = {.reader = {.message = message, .message_size = message_size}};
    return build(&d, (struct str){json, len}, read_single);
}

struct schema *schema_new_definition(const char *json, size_t len, const struct schema_definition *definition)
{
    struct document d = {.reader = {.definition = definition}};
    return build(&d, (struct str){json, len}, read_definition);
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

/* Whether there is a $ref that nothing answers; others join the queue. As deep as the text, at most. */
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

/* False where there is no memory to find out, too. */
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
