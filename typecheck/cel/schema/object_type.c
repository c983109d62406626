#include "typecheck/cel/schema/object_type.h"

#include <ctype.h>
#include <string.h>

#include "typecheck/base/jsonread.h"
#include "typecheck/base/suggest.h"
#include "typecheck/cel/schema/given_fields.h"
#include "typecheck/cel/schema/go_type.h"
#include "typecheck/cel/schema/graph.h"
#include "typecheck/cel/schema/property_name.h"
#include "typecheck/cel/schema/resource_meta.h"
#include "typecheck/cel/schema/valid_fields.h"
#include "typecheck/cel/syntax/reserved.h"
#include "typecheck/cel/types/reads.h"
#include "typecheck/cel/types/type.h"

/*
 * Types are derived on demand: an object type remembers the node it stands
 * for and how it was reached, and gives a field's type when it is asked.
 *
 * The typings share the walk. SCHEMA_UPSTREAM leaves out what has no type
 * (common/schemas.go: nil means not exposed), the others say dyn there.
 */

/* The references followed on the way to an object: a second visit cuts the recursion (resolver/refs.go). */
struct visit {
    const struct visit *parent;
    uint32_t component;
};

/* A name that was asked for, as a field or as a key. */
struct asked_name {
    struct str name;
    uint32_t hash;
    bool has_field, has_key;           /* the questions so far */
    bool is_field_noted, is_key_noted; /* in the reads */
    const struct type *field;          /* the type of the field; NULL if there is no such field */
    struct object_entry key;           /* type NULL: there is none */
};

/* The names that were asked for so far. */
struct asked {
    struct asked_name **names;         /* open addressing; NULL: none */
    uint32_t count, cap;               /* a power of two */
    struct reads *reads;               /* the notes of questions; NULL */
    size_t names_noted, entries_noted; /* they are asked for in order, so these are the first ones */
};

#define FIRST_CAP 8u

enum shape {
    SHAPE_SCHEMA,    /* the fields of its node */
    SHAPE_RESOURCE,  /* those, and kind, apiVersion and metadata, of which the schema has not all */
    SHAPE_META,      /* the metadata that SHAPE_RESOURCE adds: name and generateName */
    SHAPE_RECURSION, /* the place at which a recursive schema repeats: no fields */
};

/* The data of an object type that a schema describes; type->data. */
struct object {
    const struct schema *doc;
    const struct schema_node *node;
    const struct visit *visits;
    enum shape shape;
    enum schema_typing typing;
    struct asked *asked; /* so far */
};

static const struct type *object_field(const struct type *type, struct str name, struct types *ts);
static bool object_key(const struct type *type, struct str name, struct types *ts, struct object_entry *out);

static bool object_name(const struct type *type, size_t index, struct str *out);
static bool object_entry(const struct type *type, size_t index, struct types *ts, struct object_entry *out);
static bool object_lists(const struct type *type, struct str name, struct types *ts);
static size_t object_find_listing(const struct type *type, size_t from, struct str name);
static size_t object_find_near(const struct type *type, size_t from, const struct suggest *nearest);
static bool object_is_given(const struct type *type, struct str field, const struct types *ts);
static void object_describe(const struct type *type, struct text *out);
static void object_is_named(const struct type *type);

static const struct object_ops schema_ops = {.field = object_field,
                                             .key = object_key,
                                             .is_given = object_is_given,
                                             .name = object_name,
                                             .lists = object_lists,
                                             .entry = object_entry,
                                             .find_listing = object_find_listing,
                                             .find_near = object_find_near,
                                             .describe = object_describe,
                                             .is_named = object_is_named,
                                             .escapes_keywords = true};

static const struct type *new_object(struct types *ts, struct str name, struct object object)
{
    struct arena *a = types_arena(ts);
    struct object *data = ARENA_NEW(a, struct object);
    *data = object;
    data->asked = ARENA_NEW(a, struct asked);
    data->asked->reads = types_reads(ts);
    return types_object(ts, name, &schema_ops, data);
}

/* The node that a node stands for once its $ref is replaced, and the way there; NULL where the recursion is
 * cut. */
static const struct schema_node *follow(struct types *ts, const struct schema *doc, uint32_t index,
                                        const struct visit **visits)
{
    const struct schema_node *node = &doc->nodes[index];
    if (node->component == 0 || node->component == SCHEMA_MISSING_REF)
        return node;
    for (const struct visit *v = *visits; v != NULL; v = v->parent) {
        arena_step(types_arena(ts));
        if (v->component == node->component)
            return NULL;
    }
    struct visit *here = ARENA_NEW(types_arena(ts), struct visit);
    *here = (struct visit){*visits, node->component};
    *visits = here;
    return &doc->nodes[doc->components[node->component - 1].node];
}

static uint32_t find_property(const struct schema *doc, const struct schema_node *node, struct str name)
{
    const struct schema_property *p = schema_graph_find(doc, node, name);
    return p == NULL ? 0 : p->node;
}

/* Lists and maps within each other, without an object between them: as many as one schema's text can hold;
 * more, through references, end the check. */
#define MAX_NESTING JSONREAD_MAX_DEPTH

/* The inputs of a derivation: a document, a typing, the way so far. */
struct context {
    struct types *ts;
    const struct schema *doc;
    enum schema_typing typing;
    const struct visit *visits;
    unsigned nesting;
};

static const struct type *derive(struct context c, const struct schema_node *node, bool is_resource,
                                 struct str name);

static bool is_component(const struct schema *doc, uint32_t component, struct str name)
{
    return component != 0 && component != SCHEMA_MISSING_REF &&
           str_eq(str_of(doc->strings + doc->components[component - 1].name), name);
}

/* Kubernetes' own quantities are written as strings, whatever was sent; their schema has no type. */
static bool is_quantity(const struct schema *doc, uint32_t index)
{
    return is_component(doc, doc->nodes[index].component,
                        STR("io.k8s.apimachinery.pkg.api.resource.Quantity"));
}

static struct str component_of(const struct schema *doc, const struct visit *visit)
{
    return str_of(doc->strings + doc->components[visit->component - 1].name);
}

/* An object to its schema, but any JSON is in some. */
static bool is_raw(const struct schema *doc, const struct visit *visits)
{
    return visits != NULL &&
           is_component(doc, visits->component, STR("io.k8s.apimachinery.pkg.runtime.RawExtension"));
}

/* Returns true if the schema is of a type of Kubernetes' own: it says what Go can hold, not what was
 * validated. */
static bool is_go(const struct schema *doc, const struct visit *visits)
{
    static const struct str prefixes[] = {
        STR_INIT("io.k8s.api."),
        STR_INIT("io.k8s.apimachinery."),
        STR_INIT("io.k8s.apiextensions-apiserver."),
        STR_INIT("io.k8s.kube-aggregator."),
    };
    for (size_t i = 0; visits != NULL && i < sizeof prefixes / sizeof *prefixes; i++) {
        if (str_has_prefix(component_of(doc, visits), prefixes[i]))
            return true;
    }
    return false;
}

/* `node` is what the node at `index` stands for. */
static bool is_nullable(const struct schema *doc, uint32_t index, const struct schema_node *node)
{
    return ((node->flags | doc->nodes[index].flags) & SCHEMA_NULLABLE) != 0;
}

/* The type of a node that is a property, an item or an additional property. */
static const struct type *derive_child(struct context c, uint32_t index, struct str name)
{
    arena_step(types_arena(c.ts));
    if (c.nesting++ == MAX_NESTING)
        arena_fail(types_arena(c.ts), ARENA_STEPS);
    const struct schema_node *node = follow(c.ts, c.doc, index, &c.visits);
    if (node == NULL) {
        if (c.typing != SCHEMA_UPSTREAM)
            return &type_json;
        return new_object(c.ts, name,
                          (struct object){.doc = c.doc, .shape = SHAPE_RECURSION, .typing = c.typing});
    }
    if (c.typing != SCHEMA_UPSTREAM && is_quantity(c.doc, index))
        return &type_quantity_text;
    return derive(c, node, (node->flags & SCHEMA_EMBEDDED_RESOURCE) != 0, name);
}

/* The type of a list's or map's elements. CEL's types cannot say that one may be null; types_nullable can. */
static const struct type *derive_element(struct context c, uint32_t index, struct str name)
{
    struct context at = c;
    const struct schema_node *node = follow(c.ts, c.doc, index, &at.visits);
    bool may_be_null = c.typing != SCHEMA_UPSTREAM && node != NULL && is_nullable(c.doc, index, node);
    const struct type *t = derive_child(c, index, name);
    return may_be_null ? types_nullable(c.ts, t) : t;
}

static struct str suffixed(struct types *ts, struct str name, struct str suffix)
{
    return str_join(types_arena(ts), STR_PARTS(name, suffix));
}

static const struct type *derive_string(struct context c, const struct schema_node *node)
{
    if (c.typing != SCHEMA_UPSTREAM)
        return &type_string;
    switch ((enum schema_format)node->format) {
    case FORMAT_BYTE:
        return &type_bytes;
    case FORMAT_DATE:
    case FORMAT_DATE_TIME:
        return &type_timestamp;
    case FORMAT_DURATION:
        return &type_duration;
    case FORMAT_OTHER:
        break;
    }
    return &type_string;
}

/* Returns true if fields that the schema does not list can exist. */
static bool is_open(const struct schema_node *node)
{
    return (node->flags & (SCHEMA_PRESERVES_UNKNOWN | SCHEMA_ADDITIONAL_TRUE)) != 0 ||
           node->property_count == 0;
}

/* Returns true if the schema of a resource has kind, apiVersion and full metadata itself. */
static bool has_object_meta(struct context c, const struct schema_node *node)
{
    uint32_t metadata = find_property(c.doc, node, STR("metadata"));
    return resource_meta_is_in_graph(c.doc, node, follow(c.ts, c.doc, metadata, &c.visits));
}

static const struct type *derive_object(struct context c, const struct schema_node *node, bool is_resource,
                                        struct str name)
{
    if (node->additional != 0) {
        const struct type *value = derive_element(c, node->additional, suffixed(c.ts, name, STR(".@elem")));
        return value == NULL ? NULL : types_map(c.ts, &type_string, value);
    }
    bool lists_nothing = c.typing != SCHEMA_UPSTREAM && node->property_count == 0 && !is_resource;
    if (lists_nothing)
        return is_raw(c.doc, c.visits) ? &type_json : &type_open;
    struct object object = {.doc = c.doc,
                            .node = node,
                            .visits = c.visits,
                            .shape = is_resource && !has_object_meta(c, node) ? SHAPE_RESOURCE : SHAPE_SCHEMA,
                            .typing = c.typing};
    return new_object(c.ts, name, object);
}

/* Returns the type that CEL sees for the node, or NULL if it is not exposed. */
static const struct type *derive(struct context c, const struct schema_node *node, bool is_resource,
                                 struct str name)
{
    const struct type *untyped = c.typing != SCHEMA_UPSTREAM ? &type_json : NULL;
    if ((node->flags & SCHEMA_INT_OR_STRING) != 0)
        return c.typing != SCHEMA_UPSTREAM ? &type_int_or_string : &type_dyn;
    switch ((enum schema_json_type)node->type) {
    case JSON_UNTYPED:
        return untyped;
    case JSON_ARRAY: {
        if (node->items == 0)
            return untyped;
        const struct type *item = derive_element(c, node->items, suffixed(c.ts, name, STR(".@idx")));
        return item == NULL ? NULL : types_list(c.ts, item);
    }
    case JSON_OBJECT:
        return derive_object(c, node, is_resource, name);
    case JSON_STRING:
        return derive_string(c, node);
    case JSON_BOOLEAN:
        return &type_bool;
    case JSON_NUMBER: /* at run time an int or a double, as the JSON has it */
        return c.typing != SCHEMA_UPSTREAM ? &type_number : &type_double;
    case JSON_INTEGER:
        return &type_int;
    }
    return untyped;
}

/* The type of a field that is added to a resource whose schema has no full metadata; NULL for any other
 * field. */
static const struct type *added_field(const struct object *o, struct str name, struct str path,
                                      struct types *ts)
{
    if (str_eq(name, STR("kind")) || str_eq(name, STR("apiVersion")))
        return &type_string;
    if (!str_eq(name, STR("metadata")))
        return NULL;
    if (o->typing != SCHEMA_UPSTREAM)
        return &type_json;
    return object_type_of_metadata(ts, o->doc, path);
}

/* About as many as a search among an object's properties takes, each of all bytes at worst. */
#define PROPERTY_COMPARISONS 8u

static const struct type *derive_field(const struct type *type, struct str name, struct types *ts)
{
    const struct object *o = type->data;
    arena_pay_bytes(types_arena(ts), name.len * PROPERTY_COMPARISONS);
    struct str path = str_join(types_arena(ts), STR_PARTS(type->name, STR("."), name));
    if (o->shape == SHAPE_RECURSION)
        return NULL;
    if (o->shape == SHAPE_META)
        return str_eq(name, STR("name")) || str_eq(name, STR("generateName")) ? &type_string : NULL;
    if (o->shape == SHAPE_RESOURCE) {
        const struct type *added = added_field(o, name, path, ts);
        if (added != NULL)
            return added;
    }
    uint32_t index = find_property(o->doc, o->node, name);
    if (index == 0)
        return o->typing != SCHEMA_UPSTREAM && is_open(o->node) ? &type_json : NULL;
    struct context c = {ts, o->doc, o->typing, o->visits, 0};
    if (c.typing == SCHEMA_VALIDATED && str_eq(name, STR("status")))
        c.typing = SCHEMA_RUNTIME;
    return derive_child(c, index, path);
}

/* A reserved word is found under its escaped name, too. */
static const struct type *lookup_field(const struct type *type, struct str name, struct types *ts)
{
    const struct type *found = derive_field(type, name, ts);
    if (found != NULL || !reserved_has(name))
        return found;
    return derive_field(type, str_join(types_arena(ts), STR_PARTS(STR("__"), name, STR("__"))), ts);
}

static struct asked_name **find_place(const struct asked *asked, struct str name, uint32_t hash)
{
    uint32_t i = hash & (asked->cap - 1);
    for (; asked->names[i] != NULL; i = (i + 1) & (asked->cap - 1)) {
        if (asked->names[i]->hash == hash && str_eq(asked->names[i]->name, name))
            break;
    }
    return &asked->names[i];
}

static void make_room(struct asked *asked, struct arena *a)
{
    if (2 * (asked->count + 1) <= asked->cap)
        return;
    struct asked grown = *asked;
    grown.cap = asked->cap == 0 ? FIRST_CAP : 2 * asked->cap;
    grown.names = ARENA_ARRAY(a, grown.cap, struct asked_name *);
    for (uint32_t i = 0; i < asked->cap; i++) {
        if (asked->names[i] != NULL)
            *find_place(&grown, asked->names[i]->name, asked->names[i]->hash) = asked->names[i];
    }
    *asked = grown;
}

/* The entry of the name in the object's cache; it is added empty if it is not there. */
static struct asked_name *ask(const struct object *o, struct arena *a, struct str name)
{
    struct asked *asked = o->asked;
    arena_pay_hash(a, name.len);
    uint32_t hash = str_hash(name);
    make_room(asked, a);
    struct asked_name **place = find_place(asked, name, hash);
    if (*place == NULL) {
        *place = ARENA_NEW(a, struct asked_name);
        **place = (struct asked_name){.name = str_copy(a, name), .hash = hash};
        asked->count++;
    }
    return *place;
}

static const struct type *find_field(const struct type *type, struct asked_name *asked, struct types *ts)
{
    if (!asked->has_field) {
        asked->field = lookup_field(type, asked->name, ts);
        asked->has_field = true;
    }
    return asked->field;
}

static const struct type *object_field(const struct type *type, struct str name, struct types *ts)
{
    const struct object *o = type->data;
    struct asked_name *asked = ask(o, types_arena(ts), name);
    const struct type *field = find_field(type, asked, ts);
    if (!asked->is_field_noted && reads_is_on(o->asked->reads)) {
        asked->is_field_noted = true;
        reads_field(o->asked->reads, type, asked->name, field);
    }
    return field;
}

struct slice {
    struct str type, field;
};

/* Required lists that the API server's validation does not allow to be empty, before any policy is asked. */
static const struct slice FILLED_SLICES[] = {
    {STR_INIT(".PodSpec"), STR_INIT("containers")},
};

static bool is_among(const struct object *o, struct str field, const struct slice *slices, size_t count)
{
    if (!is_go(o->doc, o->visits))
        return false;
    struct str type = component_of(o->doc, o->visits);
    for (size_t i = 0; i < count; i++) {
        if (str_eq(field, slices[i].field) && str_has_suffix(type, slices[i].type))
            return true;
    }
    return false;
}

static bool is_kept_slice(const struct object *o, struct str field)
{
    return is_go(o->doc, o->visits) &&
           go_type_keeps(&(struct go_type){.doc = o->doc, .component = o->visits->component}, field);
}

static bool is_filled_slice(const struct object *o, struct str field)
{
    return is_among(o, field, FILLED_SLICES, sizeof FILLED_SLICES / sizeof *FILLED_SLICES);
}

/*
 * Decides if null may be the value: always if the schema says so, or if there is no type; rarely in a Go
 * slice that is never left out, and in a time that is not set.
 */
static void judge_null(const struct object *o, struct str name, const struct schema_property *p,
                       struct types *ts, struct object_entry *out)
{
    const struct visit *visits = o->visits;
    const struct schema_node *node = follow(ts, o->doc, p->node, &visits);
    out->may_be_null = node == NULL || is_nullable(o->doc, p->node, node) ||
                       (node->type == JSON_UNTYPED && (node->flags & SCHEMA_INT_OR_STRING) == 0 &&
                        !is_quantity(o->doc, p->node));
    bool may_stay =
        node != NULL && (node->type == JSON_ARRAY ? out->is_always_there && !is_filled_slice(o, name)
                                                  : node->format != FORMAT_OTHER);
    out->is_rarely_null = !out->may_be_null && is_go(o->doc, o->visits) && may_stay;
}

static bool is_meta_field(struct str name)
{
    size_t i = 0;
    while (i < SCHEMA_META_FIELDS && !str_eq(name, schema_graph_meta[i]))
        i++;
    return i < SCHEMA_META_FIELDS;
}

/* Returns true if the schema lists all fields that SHAPE_RESOURCE adds if they are missing. */
static bool lists_meta_fields(const struct object *o)
{
    size_t i = 0;
    while (i < SCHEMA_META_FIELDS && find_property(o->doc, o->node, schema_graph_meta[i]) != 0)
        i++;
    return i == SCHEMA_META_FIELDS;
}

/* kind, apiVersion and metadata of a resource, too. */
static bool is_given(const struct type *type, struct str field, const struct types *ts)
{
    const struct object *o = type->data;
    if (o->shape != SHAPE_SCHEMA && o->shape != SHAPE_RESOURCE)
        return false;
    if (is_meta_field(field) && lists_meta_fields(o))
        return true;
    return is_go(o->doc, o->visits) &&
           given_fields_has(component_of(o->doc, o->visits), type->name, field, types_minor(ts));
}

static bool object_is_given(const struct type *type, struct str field, const struct types *ts)
{
    const bool is = is_given(type, field, ts);
    reads_is_given(types_reads(ts), type, field, is);
    return is;
}

/* Returns true if the node is atomic, by itself or by the component that it refers to. */
static bool is_atomic(const struct schema *doc, const struct schema_node *node)
{
    bool refers = node->component != 0 && node->component != SCHEMA_MISSING_REF;
    unsigned flags = refers ? doc->nodes[doc->components[node->component - 1].node].flags : 0;
    return ((flags | node->flags) & SCHEMA_ATOMIC) != 0;
}

/* The values of an enum, a list in JSON that holds strings alone. */
static const struct type_words *read_words(struct types *ts, struct str name, struct str json)
{
    struct type_words *words = ARENA_NEW(types_arena(ts), struct type_words);
    struct jsonread r;
    struct str *list = NULL;
    size_t cap = 0;
    *words = (struct type_words){.what = name};
    jsonread_init(&r, json, types_arena(ts));
    if (!jsonread_open(&r))
        return NULL;
    while (jsonread_element(&r)) {
        if (jsonread_peek(&r) != JSONREAD_STRING)
            return NULL;
        ARENA_ROOM(types_arena(ts), list, words->count, cap, 4);
        list[words->count++] = str_copy(types_arena(ts), jsonread_string(&r));
    }
    words->list = list;
    return words->count == 0 ? NULL : words;
}

/* The part of the table that holds for the object: the least of all that is around it. */
static enum valid_fields_part part_of(const struct object *o, struct types *ts)
{
    enum valid_fields_part part = VALID_FIELDS_ALL;
    for (const struct visit *v = o->visits; part == VALID_FIELDS_ALL && v != NULL && v->parent != NULL;
         v = v->parent) {
        arena_step(types_arena(ts));
        part = valid_fields_part_of(component_of(o->doc, v->parent), component_of(o->doc, v),
                                    types_validating_minor(ts));
    }
    return part;
}

/* The row of the table for a field of a Go type, which the types above it may make narrower; NULL: none. */
static const struct enumeration *find_enumeration(const struct object *o, struct str name, struct types *ts)
{
    const struct str component = component_of(o->doc, o->visits);
    const struct enumeration *found = valid_fields_enumeration(component, name), *below = NULL;
    for (const struct visit *v = o->visits->parent; found != NULL && below == NULL && v != NULL;
         v = v->parent) {
        arena_step(types_arena(ts));
        below = valid_fields_enumeration_below(component_of(o->doc, v), component, name);
    }
    return below != NULL ? below : found != NULL && part_of(o, ts) != VALID_FIELDS_NONE ? found : NULL;
}

/* The values that validation allows a string, by the table for a Go type, else by the schema; NULL: any
 * value. */
static const struct type_words *find_words(const struct object *o, struct str name, uint32_t index,
                                           struct types *ts)
{
    if (o->typing != SCHEMA_VALIDATED)
        return NULL;
    if (is_go(o->doc, o->visits)) {
        const struct enumeration *e = find_enumeration(o, name, ts);
        return e == NULL ? NULL : valid_fields_words(types_arena(ts), e, types_minor(ts));
    }
    const struct schema_node *node = schema_graph_follow(o->doc, &o->doc->nodes[index]);
    const bool is_list = node->type == JSON_ARRAY && node->items != 0;
    if (is_list)
        node = schema_graph_follow(o->doc, &o->doc->nodes[node->items]);
    const struct str json = node->type == JSON_STRING ? schema_graph_enum(o->doc, node) : STR("");
    return json.len == 0 ? NULL : read_words(ts, name, json);
}

/* The metadata that validation allows every object of a custom kind. */
static const struct {
    struct str field;
    enum spelling spelling, keys;
} CUSTOM_META[] = {
    {STR_INIT("annotations"), SPELLING_ANY, SPELLING_ANNOTATION_KEY},
    {STR_INIT("labels"), SPELLING_LABEL_VALUE, SPELLING_LABEL_KEY},
    {STR_INIT("name"), SPELLING_DNS_SUBDOMAIN, SPELLING_ANY},
    {STR_INIT("namespace"), SPELLING_DNS_LABEL, SPELLING_ANY},
};

/* A field of metadata: what is known of it depends on the type that has the metadata. */
static void find_meta_spelling(const struct object *o, struct str name, struct arena *a,
                               struct object_entry *entry)
{
    const struct visit *holder = o->visits->parent;
    if (is_go(o->doc, holder)) {
        const struct str component = component_of(o->doc, holder),
                         field = str_join(a, STR_PARTS(STR("metadata."), name));
        entry->spelling = valid_fields_spelling(component, field, false);
        entry->key_spelling = valid_fields_spelling(component, field, true);
        return;
    }
    for (size_t i = 0; holder->parent == NULL && i < sizeof CUSTOM_META / sizeof *CUSTOM_META; i++) {
        if (str_eq(CUSTOM_META[i].field, name)) {
            entry->spelling = CUSTOM_META[i].spelling;
            entry->key_spelling = CUSTOM_META[i].keys;
        }
    }
}

/* The numbers and the spellings that validation allows. */
static void find_bounds(const struct object *o, struct str name, struct types *ts, struct object_entry *entry)
{
    if (o->typing != SCHEMA_VALIDATED || !is_go(o->doc, o->visits) || part_of(o, ts) != VALID_FIELDS_ALL)
        return;
    const struct str component = component_of(o->doc, o->visits);
    entry->range = valid_fields_range(component, name);
    if (o->visits->parent != NULL &&
        str_eq(component, STR("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"))) {
        find_meta_spelling(o, name, types_arena(ts), entry);
        return;
    }
    entry->spelling = valid_fields_spelling(component, name, false);
    entry->key_spelling = valid_fields_spelling(component, name, true);
}

/* Returns true if the API server sets the field before it validates the object. */
static bool is_set(const struct object *o, struct str name, const struct types *ts)
{
    return o->typing == SCHEMA_VALIDATED && is_go(o->doc, o->visits) &&
           given_fields_is_set(component_of(o->doc, o->visits), name, types_minor(ts));
}

/* `name` as JSON has it, and escaped. */
static struct object_entry derive_entry(const struct type *type, struct str name, struct str escaped,
                                        struct types *ts)
{
    const struct object *o = type->data;
    struct object_entry entry = {.type = find_field(type, ask(o, types_arena(ts), escaped), ts),
                                 .may_be_null = true};
    if (entry.type == NULL || (o->shape != SHAPE_SCHEMA && o->shape != SHAPE_RESOURCE))
        return entry;
    const struct schema_property *p = schema_graph_find(o->doc, o->node, escaped);
    if (p == NULL)
        return entry;
    const struct schema_node *node = &o->doc->nodes[p->node];
    entry.is_atomic = is_atomic(o->doc, node);
    entry.holds_atomics = node->type == JSON_ARRAY && is_atomic(o->doc, &o->doc->nodes[node->items]);
    const struct visit *visits = o->visits;
    const struct schema_node *meant = follow(ts, o->doc, p->node, &visits);
    entry.is_go_map =
        is_go(o->doc, visits) && meant != NULL && meant->type == JSON_OBJECT && meant->additional != 0;
    entry.is_always_there =
        p->is_required || is_kept_slice(o, name) || (node->flags & SCHEMA_HAS_DEFAULT) != 0;
    entry.is_set = is_set(o, name, ts);
    entry.words = find_words(o, name, p->node, ts);
    find_bounds(o, name, ts, &entry);
    judge_null(o, name, p, ts, &entry);
    return entry;
}

static bool object_key(const struct type *type, struct str name, struct types *ts, struct object_entry *out)
{
    struct reads *reads = ((const struct object *)type->data)->asked->reads;
    struct asked_name *asked = ask(type->data, types_arena(ts), name);
    if (!asked->has_key) {
        asked->key = derive_entry(type, name, property_name_of_key(types_arena(ts), name), ts);
        asked->has_key = true;
    }
    *out = asked->key;
    if (!asked->is_key_noted && reads_is_on(reads)) {
        asked->is_key_noted = true;
        reads_entry(reads, type, (struct reads_question){.sort = READS_KEY, .name = asked->name},
                    out->type != NULL, STR(""), out);
    }
    return out->type != NULL;
}

static bool find_name(const struct type *type, size_t index, struct str *out)
{
    const struct object *o = type->data;
    if ((o->shape != SHAPE_SCHEMA && o->shape != SHAPE_RESOURCE) || index >= o->node->property_count)
        return false;
    *out = str_of(o->doc->strings + o->doc->properties[o->node->properties + index].name);
    if (property_name_is_quoted(*out))
        *out = (struct str){out->at + 1, out->len - 1};
    return true;
}

static bool object_name(const struct type *type, size_t index, struct str *out)
{
    struct asked *asked = ((const struct object *)type->data)->asked;
    const bool is_there = find_name(type, index, out);
    if (index >= asked->names_noted && reads_is_on(asked->reads)) {
        asked->names_noted = index + 1;
        reads_name(asked->reads, type, index, is_there, *out);
    }
    return is_there;
}

/* Returns true if the name is the same everywhere: as a key, as an identifier, and in the graph. */
static bool is_plain(struct str name)
{
    unsigned underscores = 0;
    for (size_t i = 0; i < name.len; i++) {
        if (name.at[i] == '_')
            underscores++;
        else if (!isalnum((unsigned char)name.at[i]))
            return false;
    }
    return underscores < 2 && name.len != 0 && !str_is_digit(name.at[0]);
}

static bool object_lists(const struct type *type, struct str name, struct types *ts)
{
    const struct object *o = type->data;
    if (o->shape != SHAPE_SCHEMA && o->shape != SHAPE_RESOURCE)
        return false;
    if (!property_name_is_quoted(name) && schema_graph_find(o->doc, o->node, name) != NULL)
        return true;
    return !is_plain(name) &&
           schema_graph_find(o->doc, o->node, str_join(types_scratch(ts), STR_PARTS(STR("'"), name))) != NULL;
}

/* Most fields are no objects with fields: one look at the graph passes over each of them. */
static size_t object_find_listing(const struct type *type, size_t from, struct str name)
{
    const struct object *o = type->data;
    const bool is_asked_plain = is_plain(name);
    size_t i = from;
    if (o->shape != SHAPE_SCHEMA && o->shape != SHAPE_RESOURCE)
        return i;
    if (is_asked_plain && !schema_graph_may_have(o->doc, str_hash(name)))
        return from < o->node->property_count ? o->node->property_count : from;
    for (; i < o->node->property_count; i++) {
        const struct schema_property *p = &o->doc->properties[o->node->properties + i];
        const struct schema_node *node = schema_graph_follow(o->doc, &o->doc->nodes[p->node]);
        if (node->property_count == 0)
            continue;
        if (!is_asked_plain || !is_plain(str_of(o->doc->strings + p->name)) ||
            schema_graph_find(o->doc, node, name) != NULL)
            break;
    }
    return i;
}

static size_t object_find_near(const struct type *type, size_t from, const struct suggest *nearest)
{
    const struct object *o = type->data;
    size_t i = from;
    if (o->shape != SHAPE_SCHEMA && o->shape != SHAPE_RESOURCE)
        return i;
    while (i < o->node->property_count &&
           !suggest_may_offer(nearest, o->doc->letters[o->node->properties + i]))
        i++;
    return i;
}

static bool find_entry(const struct type *type, size_t index, struct types *ts, struct object_entry *out)
{
    const struct object *o = type->data;
    bool lists_all = o->shape == SHAPE_SCHEMA || (o->shape == SHAPE_RESOURCE && lists_meta_fields(o));
    if (!lists_all || is_open(o->node) || index >= o->node->property_count)
        return false;
    struct str name = str_of(o->doc->strings + o->doc->properties[o->node->properties + index].name);
    *out = derive_entry(type, name, name, ts);
    return true;
}

static bool object_entry(const struct type *type, size_t index, struct types *ts, struct object_entry *out)
{
    struct asked *asked = ((const struct object *)type->data)->asked;
    const bool is_there = find_entry(type, index, ts, out);
    if (index >= asked->entries_noted && reads_is_on(asked->reads)) {
        struct str name = STR("");
        find_name(type, index, &name);
        asked->entries_noted = index + 1;
        reads_entry(asked->reads, type, (struct reads_question){.sort = READS_ENTRY, .index = index},
                    is_there, name, out);
    }
    return is_there;
}

/* The number of components that one step of the budget pays for. */
#define COMPONENTS_PER_STEP 16u

/* The way to a component begins at itself: a schema that holds itself is cut at once. */
static struct context root_context(struct types *ts, const struct schema *doc, const struct schema_node *node,
                                   enum schema_typing typing)
{
    struct context c = {ts, doc, typing, NULL, 0};
    arena_pay(types_arena(ts), doc->component_count / COMPONENTS_PER_STEP);
    for (uint32_t i = 0; i < doc->component_count; i++) {
        if (&doc->nodes[doc->components[i].node] == node) {
            struct visit *self = ARENA_NEW(types_arena(ts), struct visit);
            *self = (struct visit){NULL, i + 1};
            c.visits = self;
            break;
        }
    }
    return c;
}

static const struct type *derive_root(struct types *ts, const struct schema *doc,
                                      const struct schema_node *node, bool is_resource, struct str name,
                                      enum schema_typing typing)
{
    struct context c = root_context(ts, doc, node, typing);
    const struct schema_node *root = follow(ts, doc, (uint32_t)(node - doc->nodes), &c.visits);
    if (root == NULL)
        return derive_child(c, (uint32_t)(node - doc->nodes), name);
    return derive(c, root, is_resource, name);
}

const struct type *object_type_of_resource(struct types *ts, const struct schema *doc,
                                           const struct schema_node *node, struct str name,
                                           enum schema_typing typing)
{
    return derive_root(ts, doc, node, (node->flags & SCHEMA_NO_METADATA) == 0, name, typing);
}

const struct type *object_type_validated(struct types *ts, const struct type *type)
{
    if (type->kind != TYPE_OBJECT || type->ops != &schema_ops)
        return NULL;
    struct object object = *(const struct object *)type->data;
    object.typing = SCHEMA_VALIDATED;
    return new_object(ts, type->name, object);
}

const struct type *object_type_of_value(struct types *ts, const struct schema *doc,
                                        const struct schema_node *node, struct str name,
                                        enum schema_typing typing)
{
    return derive_root(ts, doc, node, false, name, typing);
}

bool object_type_is_closed(const struct schema_node *node)
{
    const unsigned others = SCHEMA_INT_OR_STRING | SCHEMA_EMBEDDED_RESOURCE;
    return node->component == 0 && node->type == JSON_OBJECT && node->additional == 0 && !is_open(node) &&
           (node->flags & others) == 0;
}

bool object_type_is_schema_name(struct str field, bool is_of_root)
{
    return !(is_of_root && is_meta_field(field)) && is_plain(field) && !reserved_has(field);
}

/* The name that a resource's schema has in its document; empty: none. */
static struct str component_name(const struct type *resource)
{
    const struct object *o = resource->ops == &schema_ops ? resource->data : NULL;
    return o == NULL || o->visits == NULL ? STR("") : component_of(o->doc, o->visits);
}

bool object_type_is_built_in(const struct type *resource)
{
    return str_has_prefix(component_name(resource), STR("io.k8s.api."));
}

bool object_type_is_foreign(const struct type *t)
{
    static const char *const own[] = {"io.k8s.api.", "io.k8s.apimachinery.",
                                      "io.k8s.apiextensions-apiserver.", "io.k8s.kube-aggregator."};
    const struct str name = component_name(t);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (str_has_prefix(name, str_of(own[i])))
            return false;
    }
    return name.len != 0;
}

/* Describes whose type it is: a type of Kubernetes' own has rules of its own. */
static void object_describe(const struct type *type, struct text *out)
{
    const struct object *o = type->data;
    const bool is_foreign = object_type_is_foreign(type), is_own = !is_foreign && o->visits != NULL;
    text_add_char(out, (char)('0' + o->shape * 4 + is_foreign * 2 + is_own));
    text_add_char(out, (char)('0' + o->typing));
    if (is_own)
        text_add(out, component_name(type));
    text_add_char(out, ';');
}

static void object_is_named(const struct type *type)
{
    const struct object *o = type->data;
    reads_text(o->asked->reads, type);
}

bool object_type_is_custom(struct types *ts, const struct type *resource, struct str group,
                           struct str version, struct str kind)
{
    struct str name = component_name(resource);
    for (size_t end = group.len; end > 0;) { /* the last part of the group comes first */
        size_t start = end;
        arena_step(types_arena(ts));
        while (start > 0 && group.at[start - 1] != '.')
            start--;
        struct str part = {group.at + start, end - start};
        if (!str_has_prefix(name, part) || name.len <= part.len || name.at[part.len] != '.')
            return false;
        name = (struct str){name.at + part.len + 1, name.len - part.len - 1};
        end = start == 0 ? 0 : start - 1;
    }
    struct str last = str_join(types_arena(ts), STR_PARTS(version, STR("."), kind));
    return group.len != 0 && str_eq(name, last);
}

const struct type *object_type_of_metadata(struct types *ts, const struct schema *doc, struct str name)
{
    return new_object(ts, name, (struct object){.doc = doc, .shape = SHAPE_META, .typing = SCHEMA_UPSTREAM});
}
