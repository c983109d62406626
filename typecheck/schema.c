#include "typecheck/schema.h"

#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "typecheck/escape.h"
#include "typecheck/schema_graph.h"

#define REF_PREFIX "#/components/schemas/"

/* Where we are in the document, for messages. */
struct place {
    const struct place *parent;
    const char *key;
};

struct reader {
    struct schema_builder builder;
    char *message;
    size_t message_size;
};

/* "components.schemas.Widget.properties.spec: not an object", and the jump out. */
static _Noreturn void refuse(struct reader *r, const struct place *at, const char *why)
{
    const char *keys[SCHEMA_MAX_JSON_DEPTH + 8];
    size_t depth = 0;
    for (const struct place *p = at; p != NULL && depth < sizeof keys / sizeof *keys; p = p->parent)
        keys[depth++] = p->key;
    struct text t = {.arena = &r->builder.arena};
    while (depth > 0) {
        text_add(&t, str_of(keys[--depth]));
        text_add(&t, depth > 0 ? STR(".") : STR(": "));
    }
    text_add(&t, str_of(why));
    snprintf(r->message, r->message_size, "%s", text_str(&t).at);
    arena_fail(&r->builder.arena, ARENA_OK);
}

static struct str str_of_json(struct json_object *string)
{
    return (struct str){json_object_get_string(string), (size_t)json_object_get_string_len(string)};
}

/* A member of the wanted type, NULL when it is absent or null; any other type is refused. */
static struct json_object *member(struct reader *r, const struct place *at, struct json_object *object,
                                  const char *key, enum json_type wanted, const char *why)
{
    struct json_object *value = NULL;
    json_object_object_get_ex(object, key, &value);
    if (value != NULL && !json_object_is_type(value, wanted))
        refuse(r, &(struct place){at, key}, why);
    return value;
}

/* An extension counts only as upstream reads it: a bool that is true. */
static bool is_true(struct json_object *object, const char *key)
{
    struct json_object *value = NULL;
    return json_object_object_get_ex(object, key, &value) && json_object_is_type(value, json_type_boolean) &&
           json_object_get_boolean(value);
}

static enum schema_json_type read_type(struct reader *r, const struct place *at, struct json_object *object)
{
    static const struct {
        const char *name;
        enum schema_json_type type;
    } names[] = {
        {"array", JSON_ARRAY},     {"object", JSON_OBJECT}, {"string", JSON_STRING},
        {"boolean", JSON_BOOLEAN}, {"number", JSON_NUMBER}, {"integer", JSON_INTEGER},
    };
    struct json_object *type = NULL;
    json_object_object_get_ex(object, "type", &type);
    if (type != NULL && json_object_is_type(type, json_type_array))
        type = json_object_array_get_idx(type, 0); /* of several types the first counts */
    if (type == NULL)
        return JSON_UNTYPED;
    if (!json_object_is_type(type, json_type_string))
        refuse(r, &(struct place){at, "type"}, "not a string");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(json_object_get_string(type), names[i].name) == 0)
            return names[i].type;
    }
    return JSON_UNTYPED;
}

static void read_format(struct reader *r, const struct place *at, struct json_object *object,
                        struct schema_node *node)
{
    struct json_object *format = member(r, at, object, "format", json_type_string, "not a string");
    const char *name = format == NULL ? "" : json_object_get_string(format);
    if (strcmp(name, "byte") == 0)
        node->format = FORMAT_BYTE;
    else if (strcmp(name, "date") == 0)
        node->format = FORMAT_DATE;
    else if (strcmp(name, "date-time") == 0)
        node->format = FORMAT_DATE_TIME;
    else if (strcmp(name, "duration") == 0)
        node->format = FORMAT_DURATION;
    else if (strcmp(name, "int-or-string") == 0)
        node->flags |= SCHEMA_INT_OR_STRING;
}

/* 1 + the index of the component that `ref` names. */
static uint32_t find_component(struct reader *r, struct str ref)
{
    struct schema_builder *b = &r->builder;
    if (str_has_prefix(ref, STR(REF_PREFIX)))
        ref = (struct str){ref.at + sizeof REF_PREFIX - 1, ref.len - (sizeof REF_PREFIX - 1)};
    const struct schema_component *all = b->graph.components;
    uint32_t low = 0, high = b->graph.component_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = str_cmp(str_of(b->graph.strings + all[middle].name), ref);
        if (order == 0)
            return middle + 1;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return SCHEMA_MISSING_REF;
}

/*
 * resolver/refs.go: a $ref, or the first one among allOf, which kube-openapi
 * wraps around a $ref to keep a description beside it. 0 when there is none.
 */
static uint32_t read_ref(struct reader *r, const struct place *at, struct json_object *object)
{
    struct json_object *ref = member(r, at, object, "$ref", json_type_string, "not a string");
    if (ref != NULL)
        return find_component(r, str_of_json(ref));
    struct json_object *all_of = member(r, at, object, "allOf", json_type_array, "not a list");
    size_t count = all_of == NULL ? 0 : json_object_array_length(all_of);
    struct place inside = {at, "allOf"};
    for (size_t i = 0; i < count; i++) {
        struct json_object *one = json_object_array_get_idx(all_of, i);
        if (!json_object_is_type(one, json_type_object))
            refuse(r, &inside, "an element is not an object");
        uint32_t found = read_ref(r, &inside, one);
        if (found != 0)
            return found;
    }
    return 0;
}

static uint32_t read_node(struct reader *r, const struct place *at, struct json_object *object);

static void read_properties(struct reader *r, const struct place *at, struct json_object *object,
                            struct schema_node *node)
{
    struct schema_builder *b = &r->builder;
    struct place inside = {at, "properties"};
    struct json_object *properties = member(r, at, object, "properties", json_type_object, "not an object");
    if (properties == NULL)
        return;
    uint32_t count = 0;
    struct schema_property *list =
        ARENA_ARRAY(&b->arena, (size_t)json_object_object_length(properties), struct schema_property);
    json_object_object_foreach(properties, key, value)
    {
        struct place place = {&inside, key};
        uint32_t child = read_node(r, &place, value);
        struct str name;
        if (escape_name(&b->arena, str_of(key), &name))
            list[count++] = (struct schema_property){schema_builder_string(b, name), child};
    }
    node->properties = schema_builder_properties(b, list, count);
    node->property_count = count;
}

/* `items` as a list of schemas is no schema to upstream. */
static void read_items(struct reader *r, const struct place *at, struct json_object *object,
                       struct schema_node *node)
{
    struct json_object *items = NULL;
    json_object_object_get_ex(object, "items", &items);
    if (items != NULL && !json_object_is_type(items, json_type_array))
        node->items = read_node(r, &(struct place){at, "items"}, items);
}

static void read_additional(struct reader *r, const struct place *at, struct json_object *object,
                            struct schema_node *node)
{
    struct json_object *additional = NULL;
    json_object_object_get_ex(object, "additionalProperties", &additional);
    if (additional == NULL)
        return;
    if (!json_object_is_type(additional, json_type_boolean))
        node->additional = read_node(r, &(struct place){at, "additionalProperties"}, additional);
    else if (json_object_get_boolean(additional))
        node->flags |= SCHEMA_ADDITIONAL_TRUE;
}

static uint32_t read_node(struct reader *r, const struct place *at, struct json_object *object)
{
    if (!json_object_is_type(object, json_type_object))
        refuse(r, at, "not an object");
    struct schema_node node = {.type = (uint8_t)read_type(r, at, object)};
    read_format(r, at, object, &node);
    if (is_true(object, "x-kubernetes-int-or-string"))
        node.flags |= SCHEMA_INT_OR_STRING;
    if (is_true(object, "x-kubernetes-embedded-resource"))
        node.flags |= SCHEMA_EMBEDDED_RESOURCE;
    if (is_true(object, "x-kubernetes-preserve-unknown-fields"))
        node.flags |= SCHEMA_PRESERVES_UNKNOWN;
    node.component = read_ref(r, at, object);
    read_items(r, at, object, &node);
    read_additional(r, at, object, &node);
    read_properties(r, at, object, &node);
    return schema_builder_node(&r->builder, &node);
}

static uint32_t gvk_part(struct reader *r, const struct place *at, struct json_object *gvk, const char *key)
{
    struct json_object *part = member(r, at, gvk, key, json_type_string, "not a string");
    return schema_builder_string(&r->builder, part == NULL ? STR("") : str_of_json(part));
}

static void read_kinds(struct reader *r, const struct place *at, struct json_object *object,
                       uint32_t component)
{
    const char *key = "x-kubernetes-group-version-kind";
    struct place inside = {at, key};
    struct json_object *list = member(r, at, object, key, json_type_array, "not a list");
    size_t count = list == NULL ? 0 : json_object_array_length(list);
    for (size_t i = 0; i < count; i++) {
        struct json_object *gvk = json_object_array_get_idx(list, i);
        if (!json_object_is_type(gvk, json_type_object))
            refuse(r, &inside, "an element is not an object");
        struct schema_kind kind = {gvk_part(r, &inside, gvk, "group"), gvk_part(r, &inside, gvk, "version"),
                                   gvk_part(r, &inside, gvk, "kind"), component};
        schema_builder_kind(&r->builder, kind);
    }
}

static int component_order(const void *left, const void *right, void *strings)
{
    const struct schema_component *l = left, *r = right;
    return strcmp((const char *)strings + l->name, (const char *)strings + r->name);
}

/* All names first, since any schema may refer to any other. */
static void read_components(struct reader *r, struct json_object *document)
{
    struct schema_builder *b = &r->builder;
    struct schema *g = &b->graph;
    struct place in_components = {NULL, "components"}, in_schemas = {&in_components, "schemas"};
    if (!json_object_is_type(document, json_type_object))
        refuse(r, &(struct place){NULL, "document"}, "not an object");
    struct json_object *components =
        member(r, NULL, document, "components", json_type_object, "not an object");
    struct json_object *schemas = components == NULL ? NULL
                                                     : member(r, &in_components, components, "schemas",
                                                              json_type_object, "not an object");
    if (schemas == NULL)
        return;
    g->components =
        ARENA_ARRAY(&b->arena, (size_t)json_object_object_length(schemas), struct schema_component);
    json_object_object_foreach(schemas, name, ignored)
    {
        (void)ignored;
        g->components[g->component_count++].name = schema_builder_string(b, str_of(name));
    }
    qsort_r(g->components, g->component_count, sizeof *g->components, component_order, g->strings);
    json_object_object_foreach(schemas, key, value)
    {
        uint32_t component = find_component(r, str_of(key)) - 1;
        struct place place = {&in_schemas, key};
        g->components[component].node = schema_builder_component_node(b, read_node(r, &place, value));
        read_kinds(r, &place, value, component);
    }
}

/* Runs `read` over an armed builder; NULL when it gave up. */
static struct schema *run(struct reader *r, struct json_object *json,
                          void (*read)(struct reader *, struct json_object *))
{
    if (setjmp(r->builder.arena.escape) != 0) {
        if (r->builder.arena.failure == ARENA_BUDGET)
            snprintf(r->message, r->message_size, "the schemas are too large");
        return NULL;
    }
    schema_builder_begin(&r->builder);
    read(r, json);
    struct schema *doc = schema_builder_freeze(&r->builder);
    if (doc == NULL)
        snprintf(r->message, r->message_size, "out of memory");
    return doc;
}

static struct schema *build(struct json_object *json, void (*read)(struct reader *, struct json_object *),
                            char *message, size_t message_size)
{
    struct reader r = {.message = message, .message_size = message_size};
    schema_builder_init(&r.builder);
    struct schema *doc = run(&r, json, read);
    schema_builder_deinit(&r.builder);
    return doc;
}

struct schema *schema_new(const char *json, size_t len, char *message, size_t message_size)
{
    if (len > SCHEMA_MAX_DOCUMENT_BYTES) {
        snprintf(message, message_size, "the document has %zu bytes, more than the limit of %zu", len,
                 SCHEMA_MAX_DOCUMENT_BYTES);
        return NULL;
    }
    struct json_tokener *tokener = json_tokener_new_ex(SCHEMA_MAX_JSON_DEPTH);
    struct json_object *document = NULL;
    struct schema *doc = NULL;
    if (tokener != NULL)
        document = json_tokener_parse_ex(tokener, json, (int)len);
    if (document != NULL) {
        doc = build(document, read_components, message, message_size);
    } else {
        enum json_tokener_error error =
            tokener == NULL ? json_tokener_error_size : json_tokener_get_error(tokener);
        snprintf(message, message_size, "malformed JSON at byte %zu: %s",
                 tokener == NULL ? 0 : json_tokener_get_parse_end(tokener), json_tokener_error_desc(error));
    }
    json_object_put(document);
    if (tokener != NULL)
        json_tokener_free(tokener);
    return doc;
}

static void read_single(struct reader *r, struct json_object *json)
{
    r->builder.graph.root = read_node(r, &(struct place){NULL, "schema"}, json);
}

struct schema *schema_new_single(struct json_object *json, char *message, size_t message_size)
{
    return build(json, read_single, message, message_size);
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

static bool is_string(const struct schema *doc, uint32_t string, struct str s)
{
    return str_eq(str_of(doc->strings + string), s);
}

/*
 * Whether a $ref that nothing answers can be reached, which upstream takes
 * for a schema that is not there. Each component is visited once.
 */
static bool reaches_missing(const struct schema *doc, uint32_t index, uint8_t *seen)
{
    const struct schema_node *node = &doc->nodes[index];
    if (node->component == SCHEMA_MISSING_REF)
        return true;
    if (node->component != 0) {
        if (seen[node->component - 1])
            return false;
        seen[node->component - 1] = 1;
        node = &doc->nodes[doc->components[node->component - 1].node];
    }
    for (uint32_t i = 0; i < node->property_count; i++) {
        if (reaches_missing(doc, doc->properties[node->properties + i].node, seen))
            return true;
    }
    return (node->items != 0 && reaches_missing(doc, node->items, seen)) ||
           (node->additional != 0 && reaches_missing(doc, node->additional, seen));
}

static bool is_whole(const struct schema *doc, uint32_t node)
{
    if (!doc->has_missing_ref)
        return true;
    struct arena a;
    arena_init(&a, doc->component_count + (size_t)64 * 1024);
    bool whole = false;
    if (setjmp(a.escape) == 0)
        whole = !reaches_missing(doc, node, arena_alloc(&a, doc->component_count));
    arena_deinit(&a);
    return whole;
}

const struct schema_node *schema_find(const struct schema *doc, struct str group, struct str version,
                                      struct str kind)
{
    for (uint32_t i = 0; i < doc->kind_count; i++) {
        const struct schema_kind *k = &doc->kinds[i];
        if (is_string(doc, k->kind, kind) && is_string(doc, k->version, version) &&
            is_string(doc, k->group, group)) {
            uint32_t node = doc->components[k->component].node;
            return is_whole(doc, node) ? &doc->nodes[node] : NULL;
        }
    }
    return NULL;
}
