/*
 * A schema is read with a stack of frames instead of recursion, so that reading can stop at any byte and go
 * on later (keywords_read). begin_schema() pushes a frame. Each keyword, by the table `members`,
 * changes the frame's `reading`; a keyword that comes a second time first takes back what the first one did.
 * end_schema() makes a node of the reading, and deliver() hands its index to the schema around it. The
 * properties and required names of all open schemas lie on two common stacks; each frame knows where its
 * part begins.
 */
#include "typecheck/cel/schema/keywords.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "typecheck/base/sort.h"
#include "typecheck/cel/schema/property_name.h"

#define DECIMAL    10
#define REF_PREFIX "#/components/schemas/"

void keywords_refuse(struct keywords *r, const struct keywords_site *at, const char *why)
{
    struct str keys[JSONREAD_MAX_DEPTH + 8];
    size_t depth = 0;
    for (const struct keywords_site *p = at; p != NULL && depth < sizeof keys / sizeof *keys; p = p->parent)
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

/* Returns true if the next value is of the wanted type; null is skipped as if it were not there, any other
 * type is refused. In a definition it is skipped, too: mistakes there are reported elsewhere. */
static bool is_next(struct keywords *r, const struct keywords_site *at, enum jsonread_type wanted,
                    const char *why)
{
    enum jsonread_type type = jsonread_peek(&r->in);
    if (type == wanted)
        return true;
    if (type != JSONREAD_NULL && !r->is_definition)
        keywords_refuse(r, at, why);
    jsonread_skip(&r->in);
    return false;
}

/* 1 + the index of the component that `ref` names. */
static uint32_t find_component(const struct keywords *r, struct str ref)
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

/* The facts that the members of a schema, which come in any order, have said so far. */
struct reading {
    struct schema_node node;
    struct schema_place place;
    uint32_t component; /* the one that this schema is, for its kinds; KEYWORDS_NO_COMPONENT */
    uint32_t ref, all_of;
    struct schema_note note;
    uint32_t enum_text; /* into strings */
    bool has_format_int_or_string, has_list_type, is_granular;
    uint32_t first_pending, first_required; /* this schema's part of the stacks */
    uint32_t last_property;                 /* of those that have a place */
};

/* The role of a schema in the one around it. */
enum role { ROLE_ROOT, ROLE_ITEMS, ROLE_ADDITIONAL, ROLE_PROPERTY };

/* A schema that is being read. */
struct keywords_frame {
    struct keywords_site site, properties; /* of the schema, and of its member `properties` */
    struct reading reading;
    enum role role;
    bool is_in_properties; /* a property comes next, not a keyword */
};

static void begin_schema(struct keywords *r, const struct keywords_site *at, enum role role,
                         uint32_t component);

/* The members. Each function reads one value; `at` is the member's place. */

/* Reads the type. If there are several, the first one counts. */
static void read_type(struct keywords *r, const struct keywords_site *at, struct reading *reading)
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
    if (!r->is_definition && jsonread_peek(&r->in) == JSONREAD_ARRAY) {
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

static void read_format(struct keywords *r, const struct keywords_site *at, struct reading *reading)
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
    reading->place.has_format = name.len != 0;
    /* to apiextensions-apiserver the extension alone says so */
    reading->has_format_int_or_string = !r->is_definition && str_eq(name, STR("int-or-string"));
}

/* An extension counts only as upstream reads it: a bool that is true. */
static void read_flag(struct keywords *r, struct reading *reading, enum schema_flags flag)
{
    reading->node.flags &= (uint8_t)~flag;
    if (jsonread_peek(&r->in) == JSONREAD_TRUE)
        reading->node.flags |= (uint8_t)flag;
    jsonread_skip(&r->in);
}

static void read_ref(struct keywords *r, const struct keywords_site *at, struct reading *reading)
{
    reading->ref = 0;
    if (is_next(r, at, JSONREAD_STRING, "not a string"))
        reading->ref = find_component(r, jsonread_string(&r->in));
}

/*
 * resolver/refs.go: in place of a $ref the first one among allOf, which
 * kube-openapi wraps around a $ref to keep a description beside it.
 */
static void read_all_of(struct keywords *r, const struct keywords_site *at, struct reading *reading)
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
            keywords_refuse(r, at, "an element is not an object");
        jsonread_open(&r->in);
        for (struct str key; jsonread_member(&r->in, &key);) {
            if (str_eq(key, STR("$ref")))
                read_ref(r, &(struct keywords_site){at, key}, &one);
            else if (str_eq(key, STR("allOf")))
                read_all_of(r, &(struct keywords_site){at, key}, &one);
            else
                jsonread_skip(&r->in);
        }
        reading->all_of = one.ref != 0 ? one.ref : one.all_of;
    }
}

/* `items` as a list of schemas is no schema to upstream. */
static void read_items(struct keywords *r, const struct keywords_site *at, struct reading *reading)
{
    enum jsonread_type type = jsonread_peek(&r->in);
    reading->node.items = 0;
    if (type == JSONREAD_ARRAY || type == JSONREAD_NULL)
        jsonread_skip(&r->in);
    else
        begin_schema(r, at, ROLE_ITEMS, KEYWORDS_NO_COMPONENT);
}

static void read_additional(struct keywords *r, const struct keywords_site *at, struct reading *reading)
{
    enum jsonread_type type = jsonread_peek(&r->in);
    reading->node.additional = 0;
    if (type == JSONREAD_TRUE || type == JSONREAD_FALSE || type == JSONREAD_NULL) {
        read_flag(r, reading, SCHEMA_ADDITIONAL_TRUE);
    } else {
        reading->node.flags &= (uint8_t)~SCHEMA_ADDITIONAL_TRUE;
        begin_schema(r, at, ROLE_ADDITIONAL, KEYWORDS_NO_COMPONENT);
    }
}

/*
 * Properties are sorted as they come, so that no step has much to do: runs of
 * RUN are sorted, and two neighbours of the same length are merged.
 */
enum { RUN = 256 };

static int pending_order(const void *left, const void *right, void *strings)
{
    const struct keywords_pending *l = left, *r = right;
    int order = strcmp((const char *)strings + l->property.name, (const char *)strings + r->property.name);
    return order != 0 ? order : (l->order > r->order) - (l->order < r->order);
}

/* Merges the two sorted parts of a list, of `left` and `right` elements. */
static void merge_runs(struct keywords *r, struct keywords_pending *list, uint32_t left, uint32_t right)
{
    char *strings = r->builder.graph.strings;
    struct keywords_pending *out = r->merged;
    uint32_t i = 0, k = left, n = 0;
    while (i < left && k < left + right)
        out[n++] = pending_order(&list[i], &list[k], strings) < 0 ? list[i++] : list[k++];
    memcpy(out + n, list + i, (left - i) * sizeof *list);
    memcpy(list, out, (n + left - i) * sizeof *list);
}

/* The last run of `count` elements is complete, or their end. */
static void sort_run(struct keywords *r, struct keywords_pending *list, uint32_t count, bool is_end)
{
    uint32_t right = count % RUN != 0 ? count % RUN : RUN, sorted = count - right;
    sort_by(list + sorted, right, sizeof *list, pending_order, r->builder.graph.strings);
    /* the lengths of the runs before it are the powers of two of their sum */
    for (uint32_t left; sorted != 0; right += left) {
        left = sorted & -sorted;
        if (!is_end && left > right)
            return;
        sorted -= left;
        merge_runs(r, list + sorted, left, right);
    }
}

static void push_pending(struct keywords *r, const struct reading *reading, struct schema_property property)
{
    const uint32_t count = r->pending_count + 1 - reading->first_pending;
    if (count > KEYWORDS_MAX_PROPERTIES)
        arena_fail(&r->builder.arena, ARENA_BUDGET);
    ARENA_ROOM(&r->builder.arena, r->pending, r->pending_count, r->pending_cap, SCHEMA_GRAPH_ROOM);
    ARENA_ROOM(&r->builder.arena, r->merged, count, r->merged_cap, SCHEMA_GRAPH_ROOM);
    r->pending[r->pending_count] = (struct keywords_pending){property, r->pending_count};
    r->pending_count++;
    if (count % RUN == 0)
        sort_run(r, r->pending + reading->first_pending, count, false);
}

static int required_order(const void *left, const void *right)
{
    const uint32_t *l = left, *r = right;
    return (*l > *r) - (*l < *r);
}

/* Returns true if validation requires the property. `names` are sorted. */
static bool is_required(const uint32_t *names, size_t count, uint32_t name)
{
    return count != 0 && bsearch(&name, names, count, sizeof *names, required_order) != NULL;
}

/* Hands this schema's properties to the builder, each name once. */
static void pop_properties(struct keywords *r, struct reading *reading)
{
    struct schema_graph *b = &r->builder;
    uint32_t count = r->pending_count - reading->first_pending, kept = 0;
    size_t required_count = r->required_count - reading->first_required;
    r->pending_count = reading->first_pending;
    r->required_count = reading->first_required;
    if (count == 0)
        return;
    struct keywords_pending *list = r->pending + reading->first_pending;
    uint32_t *required = required_count == 0 ? NULL : r->required + reading->first_required;
    if (required_count != 0)
        qsort(required, required_count, sizeof *required, required_order);
    struct schema_property *properties = ARENA_ARRAY(&b->arena, count, struct schema_property);
    sort_run(r, list, count, true);
    for (uint32_t i = 0; i < count; i++) {
        if (i + 1 < count && list[i].property.name == list[i + 1].property.name)
            continue;
        properties[kept] = list[i].property;
        properties[kept++].is_required = is_required(required, required_count, list[i].property.name);
    }
    reading->node.properties = schema_graph_properties(b, properties, kept);
    reading->node.property_count = kept;
}

/* Appends the node to the properties that were placed before it. */
static void place_property(struct keywords *r, struct reading *reading, uint32_t node, uint32_t key,
                           uint32_t name)
{
    struct schema_place *places = r->builder.graph.places;
    places[node].key = key;
    places[node].name = name;
    if (reading->place.first_property == 0)
        reading->place.first_property = node;
    else
        places[reading->last_property].next_property = node;
    reading->last_property = node;
}

/* Opens the properties of the innermost frame; its members are read one by one. */
static void read_properties(struct keywords *r, const struct keywords_site *at, struct reading *reading)
{
    struct keywords_frame *frame = &r->frames[r->depth - 1];
    r->pending_count = reading->first_pending;
    if (!is_next(r, at, JSONREAD_OBJECT, "not an object"))
        return;
    jsonread_open(&r->in);
    frame->properties = *at;
    frame->is_in_properties = true;
}

static void add_property(struct keywords *r, struct reading *reading, struct str key, uint32_t child)
{
    struct schema_graph *b = &r->builder;
    struct str name = property_name_of_key(&b->arena, key);
    if (keywords_has_nul(name))
        return;
    uint32_t string = schema_graph_string(b, name);
    push_pending(r, reading,
                 (struct schema_property){.name = string,
                                          .node = child & SCHEMA_NODE_MASK,
                                          .first = schema_graph_first(name) & 127});
    if (r->is_definition && child != 0)
        place_property(r, reading, child, schema_graph_string(b, key), string);
}

static void push_required(struct keywords *r, uint32_t name)
{
    ARENA_ROOM(&r->builder.arena, r->required, r->required_count, r->required_cap, SCHEMA_GRAPH_ROOM);
    r->required[r->required_count++] = name;
}

/* Reads a list of names; any other value requires nothing. */
static void read_required(struct keywords *r, const struct keywords_site *at, struct reading *reading)
{
    (void)at;
    r->required_count = reading->first_required;
    reading->place.required_meta = 0;
    if (jsonread_peek(&r->in) != JSONREAD_ARRAY) {
        jsonread_skip(&r->in);
        return;
    }
    jsonread_open(&r->in);
    while (jsonread_element(&r->in)) {
        if (jsonread_peek(&r->in) != JSONREAD_STRING) {
            jsonread_skip(&r->in);
            continue;
        }
        struct str key = jsonread_string(&r->in);
        push_required(r, schema_graph_string(&r->builder, property_name_of_key(&r->builder.arena, key)));
        for (unsigned i = 0; i < SCHEMA_META_FIELDS; i++) {
            if (str_eq(key, schema_graph_meta[i]))
                reading->place.required_meta |= (uint8_t)(1u << i);
        }
    }
}

/* Reads a value as its JSON text, unchanged. */
static struct str read_text(struct keywords *r)
{
    size_t start = r->in.at;
    jsonread_skip(&r->in);
    return (struct str){r->in.text.at + start, r->in.at - start};
}

/*
 * A default is given to what was not sent. For Go's own types the generator
 * writes one for each field that is always marshalled.
 */
static void read_default(struct keywords *r, const struct keywords_site *at, struct reading *reading)
{
    (void)at;
    reading->node.flags &= (uint8_t)~SCHEMA_HAS_DEFAULT;
    reading->note.default_text = 0;
    bool is_there = jsonread_peek(&r->in) != JSONREAD_NULL;
    struct str text = read_text(r);
    if (!is_there)
        return;
    reading->node.flags |= SCHEMA_HAS_DEFAULT;
    if (!r->is_definition)
        reading->note.default_text = schema_graph_string(&r->builder, text);
}

/*
 * k8s.io/kube-openapi/pkg/schemaconv: a list is atomic unless its list type or,
 * before there were those, its patch strategy says otherwise; an object only if
 * its map type says so.
 */
static struct str read_word(struct keywords *r)
{
    if (jsonread_peek(&r->in) == JSONREAD_STRING)
        return jsonread_string(&r->in);
    jsonread_skip(&r->in);
    return STR("");
}

static void read_list_type(struct keywords *r, const struct keywords_site *at, struct reading *reading)
{
    (void)at;
    reading->has_list_type = true;
    reading->is_granular = !str_eq(read_word(r), STR("atomic"));
}

/* The keys of a list's items, which its list type goes with. */
static void read_list_keys(struct keywords *r, const struct keywords_site *at, struct reading *reading)
{
    (void)at;
    if (jsonread_peek(&r->in) == JSONREAD_ARRAY)
        reading->note.list_keys = schema_graph_string(&r->builder, read_text(r));
    else
        jsonread_skip(&r->in);
}

/* The one that there was before: it counts where there is no list type. */
static void read_merge_key(struct keywords *r, const struct keywords_site *at, struct reading *reading)
{
    (void)at;
    bool is_text = jsonread_peek(&r->in) == JSONREAD_STRING;
    struct str text = read_text(r);
    if (is_text && reading->note.list_keys == 0)
        reading->note.list_keys = schema_graph_string(
            &r->builder, str_join(&r->builder.arena, STR_PARTS(STR("["), text, STR("]"))));
}

static void read_patch_strategy(struct keywords *r, const struct keywords_site *at, struct reading *reading)
{
    (void)at;
    bool is_merge = str_has_prefix(read_word(r), STR("merge"));
    reading->is_granular = reading->is_granular || (is_merge && !reading->has_list_type);
}

static void read_map_type(struct keywords *r, const struct keywords_site *at, struct reading *reading)
{
    (void)at;
    if (str_eq(read_word(r), STR("atomic")))
        reading->node.flags |= SCHEMA_ATOMIC;
}

bool keywords_has_nul(struct str name)
{
    return memchr(name.at, '\0', name.len) != NULL;
}

/* Reads a number as an integer that is at least 0. The text may have a fraction: the server takes 10.0 for
 * 10. */
static int64_t read_number(const char *text, size_t len)
{
    size_t digits = strspn(text, "-0123456789");
    int64_t whole = strtoll(text, NULL, DECIMAL);
    double number = digits == len ? 0 : strtod(text, NULL);
    if (digits == len)
        return whole < 0 ? 0 : whole;
    return number >= (double)INT64_MAX ? INT64_MAX : number < 0 ? 0 : (int64_t)number;
}

static void read_bound(struct keywords *r, const struct keywords_site *at, struct reading *reading)
{
    struct schema_place *place = &reading->place;
    int64_t *bound = str_eq(at->key, STR("maxItems"))        ? &place->max_items
                     : str_eq(at->key, STR("maxProperties")) ? &place->max_properties
                                                             : &place->max_length;
    bool is_number = jsonread_peek(&r->in) == JSONREAD_NUMBER;
    size_t start = r->in.at;
    jsonread_skip(&r->in);
    *bound = is_number ? read_number(r->in.text.at + start, r->in.at - start) : SCHEMA_UNBOUNDED;
}

static void read_enum(struct keywords *r, const struct keywords_site *at, struct reading *reading)
{
    int64_t *longest = &reading->place.longest_enum;
    *longest = SCHEMA_UNBOUNDED;
    reading->enum_text = 0;
    if (!r->is_definition) {
        bool is_list = jsonread_peek(&r->in) == JSONREAD_ARRAY;
        struct str text = read_text(r);
        reading->enum_text = is_list ? schema_graph_string(&r->builder, text) : 0;
        return;
    }
    if (!is_next(r, at, JSONREAD_ARRAY, "not a list"))
        return;
    jsonread_open(&r->in);
    while (jsonread_element(&r->in)) {
        int64_t len = (int64_t)read_word(r).len;
        if (len > *longest)
            *longest = len;
    }
}

static void read_kind(struct keywords *r, const struct keywords_site *at, uint32_t component)
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
        else if (is_next(r, &(struct keywords_site){at, key}, JSONREAD_STRING, "not a string"))
            *part = jsonread_string(&r->in);
        else
            *part = STR("");
    }
    if (keywords_has_nul(group) || keywords_has_nul(version) || keywords_has_nul(kind))
        return;
    struct schema_graph *b = &r->builder;
    schema_graph_kind(b, (struct schema_kind){.group = schema_graph_string(b, group),
                                              .version = schema_graph_string(b, version),
                                              .kind = schema_graph_string(b, kind),
                                              .component = component});
}

/* Reads the kinds of a component; other schemas have none. */
static void read_kinds(struct keywords *r, const struct keywords_site *at, struct reading *reading)
{
    struct schema *g = &r->builder.graph;
    if (reading->component == KEYWORDS_NO_COMPONENT) {
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
            keywords_refuse(r, at, "an element is not an object");
        read_kind(r, at, reading->component);
    }
}

/* The schemas in which a keyword counts. */
enum { IN_DOCUMENTS = 1, IN_DEFINITIONS = 2, IN_BOTH = IN_DOCUMENTS | IN_DEFINITIONS };

static const struct {
    struct str name;
    void (*read)(struct keywords *r, const struct keywords_site *at, struct reading *reading);
    enum schema_flags flag; /* if there is no function */
    unsigned where;
} members[] = {
    {STR_INIT("type"), read_type, 0, IN_BOTH},
    {STR_INIT("format"), read_format, 0, IN_BOTH},
    {STR_INIT("$ref"), read_ref, 0, IN_DOCUMENTS},
    {STR_INIT("allOf"), read_all_of, 0, IN_DOCUMENTS},
    {STR_INIT("items"), read_items, 0, IN_BOTH},
    {STR_INIT("additionalProperties"), read_additional, 0, IN_BOTH},
    {STR_INIT("properties"), read_properties, 0, IN_BOTH},
    {STR_INIT("required"), read_required, 0, IN_BOTH},
    {STR_INIT("default"), read_default, 0, IN_BOTH},
    {STR_INIT("maxItems"), read_bound, 0, IN_DEFINITIONS},
    {STR_INIT("maxProperties"), read_bound, 0, IN_DEFINITIONS},
    {STR_INIT("maxLength"), read_bound, 0, IN_DEFINITIONS},
    {STR_INIT("enum"), read_enum, 0, IN_BOTH},
    {STR_INIT("nullable"), NULL, SCHEMA_NULLABLE, IN_DOCUMENTS},
    {STR_INIT("x-kubernetes-group-version-kind"), read_kinds, 0, IN_DOCUMENTS},
    {STR_INIT("x-kubernetes-int-or-string"), NULL, SCHEMA_INT_OR_STRING, IN_BOTH},
    {STR_INIT("x-kubernetes-list-type"), read_list_type, 0, IN_DOCUMENTS},
    {STR_INIT("x-kubernetes-list-map-keys"), read_list_keys, 0, IN_DOCUMENTS},
    {STR_INIT("x-kubernetes-patch-merge-key"), read_merge_key, 0, IN_DOCUMENTS},
    {STR_INIT("x-kubernetes-map-type"), read_map_type, 0, IN_DOCUMENTS},
    {STR_INIT("x-kubernetes-patch-strategy"), read_patch_strategy, 0, IN_DOCUMENTS},
    {STR_INIT("x-kubernetes-embedded-resource"), NULL, SCHEMA_EMBEDDED_RESOURCE, IN_BOTH},
    {STR_INIT("x-kubernetes-preserve-unknown-fields"), NULL, SCHEMA_PRESERVES_UNKNOWN, IN_DOCUMENTS},
    {STR_INIT("x-vapcheck-no-metadata"), NULL, SCHEMA_NO_METADATA, IN_DOCUMENTS},
};

enum { MEMBERS = sizeof members / sizeof *members };

/* MEMBERS: the keyword does not count there. */
static size_t find_member(struct str key, unsigned where)
{
    size_t i = 0;
    while (i < MEMBERS && ((members[i].where & where) == 0 || !str_eq(key, members[i].name)))
        i++;
    return i;
}

bool keywords_is_of_definitions(struct str key)
{
    return find_member(key, IN_DEFINITIONS) < MEMBERS;
}

static void read_member(struct keywords *r, const struct keywords_site *at, struct reading *reading)
{
    const size_t i = find_member(at->key, r->is_definition ? IN_DEFINITIONS : IN_DOCUMENTS);
    if (i == MEMBERS) {
        jsonread_skip_begin(&r->in, &r->skipping);
        r->is_skipping = true;
    } else if (members[i].read != NULL) {
        members[i].read(r, at, reading);
    } else {
        read_flag(r, reading, members[i].flag);
    }
}

/* Hands the node of a schema to the one around it. */
static void deliver(struct keywords *r, enum role role, struct str key, uint32_t node)
{
    struct reading *around = role == ROLE_ROOT ? NULL : &r->frames[r->depth - 1].reading;
    switch (role) {
    case ROLE_ROOT:
        r->node = node;
        return;
    case ROLE_ITEMS:
        around->node.items = node;
        return;
    case ROLE_ADDITIONAL:
        around->node.additional = node;
        return;
    case ROLE_PROPERTY:
        add_property(r, around, key, node);
        return;
    }
}

static void begin_schema(struct keywords *r, const struct keywords_site *at, enum role role,
                         uint32_t component)
{
    if (jsonread_peek(&r->in) != JSONREAD_OBJECT) {
        if (!r->is_definition)
            keywords_refuse(r, at, "not an object");
        jsonread_skip(&r->in);
        deliver(r, role, at->key, 0);
        return;
    }
    jsonread_open(&r->in);
    /* each is within an object of its own: jsonread bounds the depth */
    r->frames[r->depth++] = (struct keywords_frame){.site = *at,
                                                    .role = role,
                                                    .reading = {.place = SCHEMA_PLACE_INIT,
                                                                .component = component,
                                                                .first_pending = r->pending_count,
                                                                .first_required = r->required_count}};
}

static void end_schema(struct keywords *r)
{
    struct keywords_frame *frame = &r->frames[r->depth - 1];
    struct reading *reading = &frame->reading;
    if (reading->has_format_int_or_string)
        reading->node.flags |= SCHEMA_INT_OR_STRING;
    if (reading->node.type == JSON_ARRAY && !reading->is_granular)
        reading->node.flags |= SCHEMA_ATOMIC;
    reading->node.component = reading->ref != 0 ? reading->ref : reading->all_of;
    reading->node.note = schema_graph_note(&r->builder, &reading->note);
    pop_properties(r, reading);
    if (reading->node.type == JSON_STRING && reading->node.property_count == 0)
        reading->node.properties = reading->enum_text;
    uint32_t index = schema_graph_node(&r->builder, &reading->node);
    if (r->is_definition)
        r->builder.graph.places[index] = reading->place;
    r->depth--;
    deliver(r, frame->role, frame->site.key, index);
}

void keywords_begin(struct keywords *r, const struct keywords_site *at, uint32_t component)
{
    if (r->frames == NULL)
        r->frames = ARENA_ARRAY(&r->builder.arena, JSONREAD_MAX_DEPTH, struct keywords_frame);
    begin_schema(r, at, ROLE_ROOT, component);
}

/* One keyword, one property, or the end of either. */
static void read_one(struct keywords *r)
{
    struct keywords_frame *frame = &r->frames[r->depth - 1];
    struct str key;
    const bool has_more = jsonread_member(&r->in, &key);
    if (frame->is_in_properties && has_more)
        begin_schema(r, &(struct keywords_site){&frame->properties, key}, ROLE_PROPERTY,
                     KEYWORDS_NO_COMPONENT);
    else if (frame->is_in_properties)
        frame->is_in_properties = false;
    else if (has_more)
        read_member(r, &(struct keywords_site){&frame->site, key}, &frame->reading);
    else
        end_schema(r);
}

bool keywords_read(struct keywords *r, size_t until)
{
    while (r->depth > 0 && r->in.at < until) {
        if (!r->is_skipping)
            read_one(r);
        else if (jsonread_skip_until(&r->in, &r->skipping, until))
            r->is_skipping = false;
    }
    return r->depth == 0;
}
