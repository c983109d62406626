#include "typecheck/schema/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "typecheck/base/jsonread.h"
#include "typecheck/schema/graph.h"
#include "typecheck/schema/property_name.h"

/*
 * A document is read twice: first all of it is judged as JSON and its
 * components are found, since any schema may refer to any other; then each
 * component goes to the builder as it is read. Of a key that an object has
 * several times the last counts, as in most readers of JSON.
 */

#define REF_PREFIX "#/components/schemas/"
/* Objects around a component's schema: the document, components, schemas. */
#define SCHEMAS_DEPTH 3

/* Where we are in the document, for messages. */
struct site {
    const struct site *parent;
    struct str key;
};

/* A property of an object that is being read. */
struct pending {
    struct schema_property property;
    uint32_t order; /* in the text */
};

/* A component's name and where its schema begins. */
struct found {
    struct str name;
    size_t at;
    uint32_t component;
};

struct reader {
    struct schema_graph builder;
    struct jsonread in;
    struct pending *pending; /* a stack: objects lie in each other */
    uint32_t pending_count, pending_cap;
    uint32_t *required; /* names, a stack likewise */
    uint32_t required_count, required_cap;
    struct found *found; /* components, in the order of the text */
    size_t found_count, found_cap;
    char *message;
    size_t message_size;
    bool is_limit;
};

/* "components.schemas.Widget.properties.spec: not an object", and the jump out. */
static _Noreturn void refuse(struct reader *r, const struct site *at, const char *why)
{
    struct str keys[JSONREAD_MAX_DEPTH + 8];
    size_t depth = 0;
    for (const struct site *p = at; p != NULL && depth < sizeof keys / sizeof *keys; p = p->parent)
        keys[depth++] = p->key;
    struct text t = {.arena = &r->builder.arena};
    while (depth > 0) {
        text_add(&t, keys[--depth]);
        text_add(&t, depth > 0 ? STR(".") : STR(": "));
    }
    text_add(&t, str_of(why));
    snprintf(r->message, r->message_size, "%s", text_str(&t).at);
    arena_fail(&r->builder.arena, ARENA_OK);
}

/* Whether what comes next is of the wanted type; null is skipped as if it were not there, any other type is
 * refused. */
static bool is_next(struct reader *r, const struct site *at, enum jsonread_type wanted, const char *why)
{
    enum jsonread_type type = jsonread_peek(&r->in);
    if (type == JSONREAD_NULL)
        jsonread_skip(&r->in);
    else if (type != wanted)
        refuse(r, at, why);
    return type == wanted;
}

/* 1 + the index of the component that `ref` names. */
static uint32_t find_component(const struct reader *r, struct str ref)
{
    const struct schema *g = &r->builder.graph;
    if (str_has_prefix(ref, STR(REF_PREFIX)))
        ref = (struct str){ref.at + sizeof REF_PREFIX - 1, ref.len - (sizeof REF_PREFIX - 1)};
    uint32_t low = 0, high = g->component_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = str_cmp(str_of(g->strings + g->components[middle].name), ref);
        if (order == 0)
            return middle + 1;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return SCHEMA_MISSING_REF;
}

/* What the members of a schema, in whatever order they come, have said so far. */
struct reading {
    struct schema_node node;
    uint32_t component; /* the one that this schema is, for its kinds; NOT_A_COMPONENT */
    uint32_t ref, all_of;
    bool has_format_int_or_string, has_list_type, is_granular;
    uint32_t first_pending, first_required; /* this schema's part of the stacks */
};

#define NOT_A_COMPONENT UINT32_MAX

static uint32_t read_node(struct reader *r, const struct site *at, uint32_t component);

/* The members. Each function reads one value; `at` is the member's place. */

/* Of several types the first counts. */
static void read_type(struct reader *r, const struct site *at, struct reading *reading)
{
    static const struct {
        struct str name;
        enum schema_json_type type;
    } names[] = {
        {STR_INIT("array"), JSON_ARRAY},   {STR_INIT("object"), JSON_OBJECT},
        {STR_INIT("string"), JSON_STRING}, {STR_INIT("boolean"), JSON_BOOLEAN},
        {STR_INIT("number"), JSON_NUMBER}, {STR_INIT("integer"), JSON_INTEGER},
    };
    struct str name = STR("");
    reading->node.type = JSON_UNTYPED;
    if (jsonread_peek(&r->in) == JSONREAD_ARRAY) {
        jsonread_open(&r->in);
        for (bool is_first = true; jsonread_element(&r->in); is_first = false) {
            if (!is_first)
                jsonread_skip(&r->in);
            else if (is_next(r, at, JSONREAD_STRING, "not a string"))
                name = jsonread_string(&r->in);
        }
    } else if (is_next(r, at, JSONREAD_STRING, "not a string")) {
        name = jsonread_string(&r->in);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (str_eq(name, names[i].name))
            reading->node.type = (uint8_t)names[i].type;
    }
}

static void read_format(struct reader *r, const struct site *at, struct reading *reading)
{
    static const struct {
        struct str name;
        enum schema_format format;
    } names[] = {
        {STR_INIT("byte"), FORMAT_BYTE},
        {STR_INIT("date"), FORMAT_DATE},
        {STR_INIT("date-time"), FORMAT_DATE_TIME},
        {STR_INIT("duration"), FORMAT_DURATION},
    };
    struct str name = is_next(r, at, JSONREAD_STRING, "not a string") ? jsonread_string(&r->in) : STR("");
    reading->node.format = FORMAT_OTHER;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (str_eq(name, names[i].name))
            reading->node.format = (uint8_t)names[i].format;
    }
    reading->has_format_int_or_string = str_eq(name, STR("int-or-string"));
}

/* An extension counts only as upstream reads it: a bool that is true. */
static void read_flag(struct reader *r, struct reading *reading, enum schema_flags flag)
{
    reading->node.flags &= (uint8_t)~flag;
    if (jsonread_peek(&r->in) == JSONREAD_TRUE)
        reading->node.flags |= (uint8_t)flag;
    jsonread_skip(&r->in);
}

static void read_ref(struct reader *r, const struct site *at, struct reading *reading)
{
    reading->ref = 0;
    if (is_next(r, at, JSONREAD_STRING, "not a string"))
        reading->ref = find_component(r, jsonread_string(&r->in));
}

/*
 * resolver/refs.go: in place of a $ref the first one among allOf, which
 * kube-openapi wraps around a $ref to keep a description beside it.
 */
static void read_all_of(struct reader *r, const struct site *at, struct reading *reading)
{
    reading->all_of = 0;
    if (!is_next(r, at, JSONREAD_ARRAY, "not a list"))
        return;
    jsonread_open(&r->in);
    while (jsonread_element(&r->in)) {
        struct reading one = {0};
        if (reading->all_of != 0) {
            jsonread_skip(&r->in);
            continue;
        }
        if (jsonread_peek(&r->in) != JSONREAD_OBJECT)
            refuse(r, at, "an element is not an object");
        jsonread_open(&r->in);
        for (struct str key; jsonread_member(&r->in, &key);) {
            if (str_eq(key, STR("$ref")))
                read_ref(r, &(struct site){at, key}, &one);
            else if (str_eq(key, STR("allOf")))
                read_all_of(r, &(struct site){at, key}, &one);
            else
                jsonread_skip(&r->in);
        }
        reading->all_of = one.ref != 0 ? one.ref : one.all_of;
    }
}

/* `items` as a list of schemas is no schema to upstream. */
static void read_items(struct reader *r, const struct site *at, struct reading *reading)
{
    enum jsonread_type type = jsonread_peek(&r->in);
    reading->node.items = 0;
    if (type == JSONREAD_ARRAY || type == JSONREAD_NULL)
        jsonread_skip(&r->in);
    else
        reading->node.items = read_node(r, at, NOT_A_COMPONENT);
}

static void read_additional(struct reader *r, const struct site *at, struct reading *reading)
{
    enum jsonread_type type = jsonread_peek(&r->in);
    reading->node.additional = 0;
    if (type == JSONREAD_TRUE || type == JSONREAD_FALSE || type == JSONREAD_NULL) {
        read_flag(r, reading, SCHEMA_ADDITIONAL_TRUE);
    } else {
        reading->node.flags &= (uint8_t)~SCHEMA_ADDITIONAL_TRUE;
        reading->node.additional = read_node(r, at, NOT_A_COMPONENT);
    }
}

static void push_pending(struct reader *r, struct schema_property property)
{
    struct arena *a = &r->builder.arena;
    if (r->pending_count == r->pending_cap) {
        uint32_t more = r->pending_cap == 0 ? 256 : 2 * r->pending_cap;
        r->pending = arena_grow(a, r->pending, r->pending_cap, more, sizeof *r->pending);
        r->pending_cap = more;
    }
    r->pending[r->pending_count] = (struct pending){property, r->pending_count};
    r->pending_count++;
}

static int pending_order(const void *left, const void *right, void *strings)
{
    const struct pending *l = left, *r = right;
    int order = strcmp((const char *)strings + l->property.name, (const char *)strings + r->property.name);
    return order != 0 ? order : (l->order > r->order) - (l->order < r->order);
}

static int required_order(const void *left, const void *right)
{
    const uint32_t *l = left, *r = right;
    return (*l > *r) - (*l < *r);
}

/* What is required is there once an object was validated. `names` are sorted. */
static bool is_required(const uint32_t *names, size_t count, uint32_t name)
{
    return count != 0 && bsearch(&name, names, count, sizeof *names, required_order) != NULL;
}

/* Hands this schema's properties to the builder, each name once. */
static void pop_properties(struct reader *r, struct reading *reading)
{
    struct schema_graph *b = &r->builder;
    uint32_t count = r->pending_count - reading->first_pending, kept = 0;
    size_t required_count = r->required_count - reading->first_required;
    r->pending_count = reading->first_pending;
    r->required_count = reading->first_required;
    if (count == 0)
        return;
    struct pending *list = r->pending + reading->first_pending;
    uint32_t *required = required_count == 0 ? NULL : r->required + reading->first_required;
    if (required_count != 0)
        qsort(required, required_count, sizeof *required, required_order);
    struct schema_property *properties = ARENA_ARRAY(&b->arena, count, struct schema_property);
    qsort_r(list, count, sizeof *list, pending_order, b->graph.strings);
    for (uint32_t i = 0; i < count; i++) {
        if (i + 1 < count && list[i].property.name == list[i + 1].property.name)
            continue;
        properties[kept] = list[i].property;
        properties[kept++].is_required = is_required(required, required_count, list[i].property.name);
    }
    reading->node.properties = schema_graph_properties(b, properties, kept);
    reading->node.property_count = kept;
}

static void read_properties(struct reader *r, const struct site *at, struct reading *reading)
{
    struct schema_graph *b = &r->builder;
    r->pending_count = reading->first_pending;
    if (!is_next(r, at, JSONREAD_OBJECT, "not an object"))
        return;
    jsonread_open(&r->in);
    for (struct str key, name; jsonread_member(&r->in, &key);) {
        uint32_t child = read_node(r, &(struct site){at, key}, NOT_A_COMPONENT);
        name = property_name_of_key(&b->arena, key);
        if (memchr(name.at, '\0', name.len) == NULL)
            push_pending(r, (struct schema_property){.name = schema_graph_string(b, name),
                                                     .node = child & SCHEMA_NODE_MASK});
    }
}

static void push_required(struct reader *r, uint32_t name)
{
    if (r->required_count == r->required_cap) {
        uint32_t more = r->required_cap == 0 ? 64 : 2 * r->required_cap;
        r->required = arena_grow(&r->builder.arena, r->required, r->required_cap, more, sizeof *r->required);
        r->required_cap = more;
    }
    r->required[r->required_count++] = name;
}

/* What is no list of names requires nothing. */
static void read_required(struct reader *r, const struct site *at, struct reading *reading)
{
    (void)at;
    r->required_count = reading->first_required;
    if (jsonread_peek(&r->in) != JSONREAD_ARRAY) {
        jsonread_skip(&r->in);
        return;
    }
    jsonread_open(&r->in);
    while (jsonread_element(&r->in)) {
        if (jsonread_peek(&r->in) != JSONREAD_STRING)
            jsonread_skip(&r->in);
        else
            push_required(r, schema_graph_string(&r->builder, property_name_of_key(&r->builder.arena,
                                                                                   jsonread_string(&r->in))));
    }
}

/*
 * A default is given to what was not sent. For Go's own types the generator
 * writes one for each field that is always marshalled.
 */
static void read_default(struct reader *r, const struct site *at, struct reading *reading)
{
    (void)at;
    reading->node.flags &= (uint8_t)~SCHEMA_HAS_DEFAULT;
    if (jsonread_peek(&r->in) != JSONREAD_NULL)
        reading->node.flags |= SCHEMA_HAS_DEFAULT;
    jsonread_skip(&r->in);
}

/*
 * k8s.io/kube-openapi/pkg/schemaconv: a list is atomic unless its list type or,
 * before there were those, its patch strategy says otherwise; an object only if
 * its map type says so.
 */
static struct str read_word(struct reader *r)
{
    if (jsonread_peek(&r->in) == JSONREAD_STRING)
        return jsonread_string(&r->in);
    jsonread_skip(&r->in);
    return STR("");
}

static void read_list_type(struct reader *r, const struct site *at, struct reading *reading)
{
    (void)at;
    reading->has_list_type = true;
    reading->is_granular = !str_eq(read_word(r), STR("atomic"));
}

static void read_patch_strategy(struct reader *r, const struct site *at, struct reading *reading)
{
    (void)at;
    bool is_merge = str_has_prefix(read_word(r), STR("merge"));
    reading->is_granular = reading->is_granular || (is_merge && !reading->has_list_type);
}

static void read_map_type(struct reader *r, const struct site *at, struct reading *reading)
{
    (void)at;
    if (str_eq(read_word(r), STR("atomic")))
        reading->node.flags |= SCHEMA_ATOMIC;
}

/* Names are kept NUL-terminated: one that has a NUL is no name of ours, and no server has one. */
static bool has_nul(struct str name)
{
    return memchr(name.at, '\0', name.len) != NULL;
}

static void read_kind(struct reader *r, const struct site *at, uint32_t component)
{
    struct str group = STR(""), version = STR(""), kind = STR("");
    jsonread_open(&r->in);
    for (struct str key; jsonread_member(&r->in, &key);) {
        struct str *part = str_eq(key, STR("group"))     ? &group
                           : str_eq(key, STR("version")) ? &version
                           : str_eq(key, STR("kind"))    ? &kind
                                                         : NULL;
        if (part == NULL)
            jsonread_skip(&r->in);
        else if (is_next(r, &(struct site){at, key}, JSONREAD_STRING, "not a string"))
            *part = jsonread_string(&r->in);
        else
            *part = STR("");
    }
    if (has_nul(group) || has_nul(version) || has_nul(kind))
        return;
    struct schema_graph *b = &r->builder;
    schema_graph_kind(b, (struct schema_kind){schema_graph_string(b, group), schema_graph_string(b, version),
                                              schema_graph_string(b, kind), component});
}

/* Of components alone. */
static void read_kinds(struct reader *r, const struct site *at, struct reading *reading)
{
    struct schema *g = &r->builder.graph;
    if (reading->component == NOT_A_COMPONENT) {
        jsonread_skip(&r->in);
        return;
    }
    while (g->kind_count > 0 && g->kinds[g->kind_count - 1].component == reading->component)
        g->kind_count--;
    if (!is_next(r, at, JSONREAD_ARRAY, "not a list"))
        return;
    jsonread_open(&r->in);
    while (jsonread_element(&r->in)) {
        if (jsonread_peek(&r->in) != JSONREAD_OBJECT)
            refuse(r, at, "an element is not an object");
        read_kind(r, at, reading->component);
    }
}

static void read_member(struct reader *r, const struct site *at, struct reading *reading)
{
    static const struct {
        struct str name;
        void (*read)(struct reader *r, const struct site *at, struct reading *reading);
        enum schema_flags flag; /* where there is no function */
    } members[] = {
        {STR_INIT("type"), read_type, 0},
        {STR_INIT("format"), read_format, 0},
        {STR_INIT("$ref"), read_ref, 0},
        {STR_INIT("allOf"), read_all_of, 0},
        {STR_INIT("items"), read_items, 0},
        {STR_INIT("additionalProperties"), read_additional, 0},
        {STR_INIT("properties"), read_properties, 0},
        {STR_INIT("required"), read_required, 0},
        {STR_INIT("default"), read_default, 0},
        {STR_INIT("nullable"), NULL, SCHEMA_NULLABLE},
        {STR_INIT("x-kubernetes-group-version-kind"), read_kinds, 0},
        {STR_INIT("x-kubernetes-int-or-string"), NULL, SCHEMA_INT_OR_STRING},
        {STR_INIT("x-kubernetes-list-type"), read_list_type, 0},
        {STR_INIT("x-kubernetes-map-type"), read_map_type, 0},
        {STR_INIT("x-kubernetes-patch-strategy"), read_patch_strategy, 0},
        {STR_INIT("x-kubernetes-embedded-resource"), NULL, SCHEMA_EMBEDDED_RESOURCE},
        {STR_INIT("x-kubernetes-preserve-unknown-fields"), NULL, SCHEMA_PRESERVES_UNKNOWN},
        {STR_INIT("x-vapcheck-no-metadata"), NULL, SCHEMA_NO_METADATA},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (!str_eq(at->key, members[i].name))
            continue;
        if (members[i].read != NULL)
            members[i].read(r, at, reading);
        else
            read_flag(r, reading, members[i].flag);
        return;
    }
    jsonread_skip(&r->in);
}

/* A schema. */
static uint32_t read_node(struct reader *r, const struct site *at, uint32_t component)
{
    struct reading reading = {
        .component = component, .first_pending = r->pending_count, .first_required = r->required_count};
    if (jsonread_peek(&r->in) != JSONREAD_OBJECT)
        refuse(r, at, "not an object");
    jsonread_open(&r->in);
    for (struct str key; jsonread_member(&r->in, &key);)
        read_member(r, &(struct site){at, key}, &reading);
    if (reading.has_format_int_or_string)
        reading.node.flags |= SCHEMA_INT_OR_STRING;
    if (reading.node.type == JSON_ARRAY && !reading.is_granular)
        reading.node.flags |= SCHEMA_ATOMIC;
    reading.node.component = reading.ref != 0 ? reading.ref : reading.all_of;
    pop_properties(r, &reading);
    return schema_graph_node(&r->builder, &reading.node);
}

/* The members of components.schemas. */
static void find_schemas(struct reader *r)
{
    r->found_count = 0;
    jsonread_open(&r->in);
    for (struct str name; jsonread_member(&r->in, &name);) {
        if (r->found_count == r->found_cap) {
            size_t more = r->found_cap == 0 ? 256 : 2 * r->found_cap;
            r->found = arena_grow(&r->builder.arena, r->found, r->found_cap, more, sizeof *r->found);
            r->found_cap = more;
        }
        if (!has_nul(name))
            r->found[r->found_count++] = (struct found){.name = name, .at = r->in.at};
        jsonread_skip(&r->in);
    }
}

/* The object components. */
static void find_components(struct reader *r, bool *is_bad)
{
    jsonread_open(&r->in);
    for (struct str key; jsonread_member(&r->in, &key);) {
        if (!str_eq(key, STR("schemas"))) {
            jsonread_skip(&r->in);
            continue;
        }
        enum jsonread_type type = jsonread_peek(&r->in);
        r->found_count = 0;
        *is_bad = type != JSONREAD_OBJECT && type != JSONREAD_NULL;
        if (type == JSONREAD_OBJECT)
            find_schemas(r);
        else
            jsonread_skip(&r->in);
    }
}

static _Noreturn void refuse_malformed(struct reader *r)
{
    r->is_limit = r->in.error == JSONREAD_TOO_DEEP;
    snprintf(r->message, r->message_size, "malformed JSON at byte %zu: %s", r->in.at,
             jsonread_message(r->in.error));
    arena_fail(&r->builder.arena, ARENA_OK);
}

/* Judges the whole text, and leaves the components in r->found. */
static void find_document(struct reader *r)
{
    const struct site components = {NULL, STR("components")}, schemas = {&components, STR("schemas")};
    bool has_bad_components = false, has_bad_schemas = false;
    bool is_object = jsonread_peek(&r->in) == JSONREAD_OBJECT;
    if (is_object)
        jsonread_open(&r->in);
    else
        jsonread_skip(&r->in);
    for (struct str key; is_object && jsonread_member(&r->in, &key);) {
        if (!str_eq(key, STR("components"))) {
            jsonread_skip(&r->in);
            continue;
        }
        enum jsonread_type type = jsonread_peek(&r->in);
        r->found_count = 0;
        has_bad_components = type != JSONREAD_OBJECT && type != JSONREAD_NULL;
        has_bad_schemas = false;
        if (type == JSONREAD_OBJECT)
            find_components(r, &has_bad_schemas);
        else
            jsonread_skip(&r->in);
    }
    if (!jsonread_end(&r->in))
        refuse_malformed(r);
    if (!is_object)
        refuse(r, &(struct site){NULL, STR("document")}, "not an object");
    if (has_bad_components || has_bad_schemas)
        refuse(r, has_bad_components ? &components : &schemas, "not an object");
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

/* Gives each name its component, sorted; what another of the same name replaces is dropped from r->found. */
static void name_components(struct reader *r)
{
    struct schema_graph *b = &r->builder;
    struct schema *g = &b->graph;
    size_t kept = 0;
    qsort(r->found, r->found_count, sizeof *r->found, name_order);
    for (size_t i = 0; i < r->found_count; i++) {
        if (i + 1 == r->found_count || !str_eq(r->found[i].name, r->found[i + 1].name))
            r->found[kept++] = r->found[i];
    }
    r->found_count = kept;
    g->components = ARENA_ARRAY(&b->arena, kept, struct schema_component);
    for (; g->component_count < kept; g->component_count++) {
        struct found *f = &r->found[g->component_count];
        f->component = g->component_count;
        g->components[g->component_count].name = schema_graph_string(b, f->name);
    }
    qsort(r->found, r->found_count, sizeof *r->found, text_order);
}

static void read_document(struct reader *r)
{
    const struct site components = {NULL, STR("components")}, schemas = {&components, STR("schemas")};
    struct schema_graph *b = &r->builder;
    find_document(r);
    if (r->found_count == 0)
        return;
    name_components(r);
    for (size_t i = 0; i < r->found_count; i++) {
        const struct found *f = &r->found[i];
        r->in.at = f->at;
        r->in.depth = SCHEMAS_DEPTH;
        uint32_t node = read_node(r, &(struct site){&schemas, f->name}, f->component);
        b->graph.components[f->component].node = schema_graph_component_node(b, node);
    }
}

static void read_single(struct reader *r)
{
    jsonread_skip(&r->in);
    if (!jsonread_end(&r->in))
        refuse_malformed(r);
    r->in.at = 0;
    r->builder.graph.root = read_node(r, &(struct site){NULL, STR("schema")}, NOT_A_COMPONENT);
}

/* Runs `read` over an armed builder; NULL when it gave up. */
static struct schema *run(struct reader *r, void (*read)(struct reader *))
{
    if (setjmp(r->builder.arena.escape) != 0) {
        if (r->builder.arena.failure == ARENA_BUDGET) {
            r->is_limit = true;
            snprintf(r->message, r->message_size, "the schemas are too large");
        }
        return NULL;
    }
    schema_graph_begin(&r->builder);
    read(r);
    struct schema *doc = schema_graph_freeze(&r->builder);
    if (doc == NULL)
        snprintf(r->message, r->message_size, "out of memory");
    return doc;
}

static struct schema *build(struct str text, void (*read)(struct reader *), char *message,
                            size_t message_size, bool *is_limit)
{
    bool ignored;
    if (is_limit == NULL)
        is_limit = &ignored;
    struct reader r = {.message = message, .message_size = message_size};
    if (text.len > SCHEMA_MAX_DOCUMENT_BYTES) {
        snprintf(message, message_size, "the document has %zu bytes, more than the limit of %zu", text.len,
                 SCHEMA_MAX_DOCUMENT_BYTES);
        *is_limit = true;
        return NULL;
    }
    schema_graph_init(&r.builder);
    jsonread_init(&r.in, text, &r.builder.arena);
    struct schema *doc = run(&r, read);
    schema_graph_deinit(&r.builder);
    *is_limit = r.is_limit;
    return doc;
}

struct schema *schema_new(const char *json, size_t len, char *message, size_t message_size, bool *is_limit)
{
    return build((struct str){json, len}, read_document, message, message_size, is_limit);
}

struct schema *schema_new_single(const char *json, size_t len, char *message, size_t message_size,
                                 bool *is_limit)
{
    return build((struct str){json, len}, read_single, message, message_size, is_limit);
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
