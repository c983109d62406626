#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "typecheck/base/arena.h"
#include "typecheck/cel/schema/crd_type.h"
#include "typecheck/cel/schema/graph.h"
#include "typecheck/cel/schema/object_type.h"
#include "typecheck/cel/schema/schema_document.h"
#include "typecheck/cel/types/type.h"

#define BUDGET     ((size_t)16 << 20)
#define WALK_DEPTH 4
#define WALK_STEPS 400 /* of all the types that one root leads to */
#define MAX_ROOTS  16u

/* Every index leads to something, and properties can be searched. */
static void check_graph(const struct schema *doc)
{
    for (uint32_t i = 0; i < doc->node_count; i++) {
        const struct schema_node *n = &doc->nodes[i];
        if (n->items >= doc->node_count || n->additional >= doc->node_count)
            abort();
        if (n->component > doc->component_count && n->component != SCHEMA_MISSING_REF)
            abort();
        if (n->property_count > doc->property_count - n->properties)
            abort();
        const struct schema_property *p = doc->properties + n->properties;
        for (uint32_t k = 0; k < n->property_count; k++) {
            if (p[k].name >= doc->string_bytes || p[k].node >= doc->node_count)
                abort();
            if (k > 0 && strcmp(doc->strings + p[k - 1].name, doc->strings + p[k].name) >= 0)
                abort();
        }
    }
    for (uint32_t i = 1; i < doc->component_count; i++) {
        if (strcmp(doc->strings + doc->components[i - 1].name, doc->strings + doc->components[i].name) >= 0)
            abort();
    }
}

/* Asks an object for each name of the document, and goes on from what it gives. */
static void walk(struct types *ts, const struct schema *doc, const struct type *t, unsigned depth,
                 unsigned *steps)
{
    if (t == NULL || depth == 0)
        return;
    if (t->kind == TYPE_LIST || t->kind == TYPE_MAP) {
        walk(ts, doc, t->params[t->param_count - 1], depth - 1, steps);
        return;
    }
    if (t->kind != TYPE_OBJECT)
        return;
    for (uint32_t at = 0; at<doc->string_bytes && * steps> 0; at += (uint32_t)strlen(doc->strings + at) + 1) {
        struct str name = str_of(doc->strings + at);
        const struct type *field = t->ops->field(t, name, ts);
        --*steps;
        if (field != t->ops->field(t, name, ts))
            abort();
        walk(ts, doc, field, depth - 1, steps);
    }
}

static void derive(struct arena *a, const struct schema *doc, const struct schema_node *root,
                   enum schema_typing typing)
{
    unsigned steps = WALK_STEPS;
    struct types *ts = types_new(a, NULL);
    struct text printed = {.arena = a};
    const struct type *resource = object_type_of_resource(ts, doc, root, STR("Root"), typing);
    const struct type *value = object_type_of_value(ts, doc, root, STR("Value"), typing);
    if (typing == SCHEMA_RUNTIME && (resource == NULL || value == NULL))
        abort(); /* what has no type is dyn there */
    if (value != NULL)
        type_print(&printed, value);
    walk(ts, doc, resource, WALK_DEPTH, &steps);
    walk(ts, doc, value, WALK_DEPTH, &steps);
}

/* In memory for all there is, or in so little that somewhere it ends. */
static void derive_within(const struct schema *doc, const struct schema_node *root, enum schema_typing typing,
                          size_t budget)
{
    struct arena a;
    arena_init(&a, budget);
    if (setjmp(a.escape) == 0)
        derive(&a, doc, root, typing);
    arena_deinit(&a);
}

static void derive_each_way(const struct schema *doc, const struct schema_node *root)
{
    for (enum schema_typing typing = SCHEMA_UPSTREAM; typing <= SCHEMA_RUNTIME; typing++) {
        derive_within(doc, root, typing, BUDGET);
        derive_within(doc, root, typing, 16384 + doc->string_bytes);
    }
}

static void find_kinds(const struct schema *doc)
{
    for (uint32_t i = 0; i < doc->kind_count && i < MAX_ROOTS; i++) {
        const struct schema_kind *k = &doc->kinds[i];
        const struct schema_node *found =
            schema_find(doc, str_of(doc->strings + k->group), str_of(doc->strings + k->version),
                        str_of(doc->strings + k->kind));
        if (found == NULL && !doc->has_missing_ref)
            abort();
    }
}

/* What a definition's places say, and the types of the first. A type and a size are there or missing
 * together. */
static void check_places(const struct schema *doc)
{
    struct arena a;
    arena_init(&a, BUDGET);
    if (setjmp(a.escape) == 0) {
        struct types *ts = types_new(&a, NULL);
        for (uint32_t i = 1; i < doc->node_count; i++) {
            const struct schema_place *p = &doc->places[i];
            struct crd_type self = {.schema = doc, .node = i};
            if ((p->first_property != 0 && p->first_property >= i) || p->next_property >= doc->node_count ||
                p->key >= doc->string_bytes || p->name >= doc->string_bytes)
                abort();
            if (i < WALK_STEPS && (crd_type_type(ts, &self, STR("T")) != NULL) != crd_type_is_exposed(&self))
                abort();
        }
    }
    arena_deinit(&a);
}

/* What is read in slices is what is read at once, and the same is wrong with it. */
static void read_in_slices(const char *text, size_t len, size_t slice, const struct schema *whole,
                           const char *expected)
{
    char message[128] = "";
    struct schema_reader *r = schema_reader_new(text, len);
    while (r != NULL && schema_reader_step(r, slice))
        continue;
    struct schema *doc = r == NULL ? NULL : schema_reader_end(r, message, sizeof message, NULL);
    if (r == NULL || (doc == NULL) != (whole == NULL) || strcmp(message, expected) != 0)
        abort();
    if (doc != NULL &&
        (doc->node_count != whole->node_count || doc->property_count != whole->property_count ||
         doc->string_bytes != whole->string_bytes || doc->kind_count != whole->kind_count ||
         memcmp(doc->nodes, whole->nodes, doc->node_count * sizeof *doc->nodes) != 0 ||
         memcmp(doc->strings, whole->strings, doc->string_bytes) != 0))
        abort();
    schema_free(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char message[128] = "";
    struct schema *doc = schema_new((const char *)data, size, message, sizeof message, NULL);
    if ((doc == NULL) != (message[0] != '\0'))
        abort();
    read_in_slices((const char *)data, size, 1 + size % 97, doc, message);
    if (doc != NULL) {
        check_graph(doc);
        find_kinds(doc);
        for (uint32_t i = 0; i < doc->component_count && i < MAX_ROOTS; i++)
            derive_each_way(doc, &doc->nodes[doc->components[i].node]);
    }
    schema_free(doc);
    /* The same text as a schema by itself, which more of what a fuzzer makes is. */
    doc = schema_new_single((const char *)data, size, message, sizeof message);
    if (doc != NULL) {
        check_graph(doc);
        derive_each_way(doc, schema_root(doc));
    }
    schema_free(doc);
    static const struct schema_definition definition = {.is_resource = true, .bounds_names = true};
    doc = schema_new_definition((const char *)data, size, &definition);
    if (doc != NULL) {
        check_graph(doc);
        check_places(doc);
    }
    schema_free(doc);
    return 0;
}
