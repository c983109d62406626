#include "controller/apiserver/crd/crdschema.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsontree.h"
#include "client/text/jsonval.h"

/* The treatment of a keyword. One that is in no row is dropped, as the server's decoding does. */
enum keep {
    COPY,        /* unless null */
    TRUE,        /* where it is true */
    FILLED,      /* unless it is empty */
    REQUIRED,    /* the same, with what an embedded resource must have */
    SCHEMA,      /* one schema */
    ADDITIONAL,  /* one schema or a boolean, not within allOf and its like */
    SCHEMAS,     /* a list of schemas that only restrict the value */
    ALL_OF,      /* such a list, which may say what an int-or-string is */
    NESTED,      /* one of them */
    PROPERTIES,  /* schemas by name */
    DESCRIPTION, /* a text that no type depends on */
};

static const struct keyword {
    const char *name;
    enum keep keep;
} keywords[] = {
    {"type", FILLED},
    {"format", FILLED},
    {"title", FILLED},
    {"description", DESCRIPTION},
    {"pattern", FILLED},
    {"default", COPY},
    {"example", COPY},
    {"externalDocs", COPY},
    {"nullable", TRUE},
    {"maximum", COPY},
    {"exclusiveMaximum", TRUE},
    {"minimum", COPY},
    {"exclusiveMinimum", TRUE},
    {"maxLength", COPY},
    {"minLength", COPY},
    {"maxItems", COPY},
    {"minItems", COPY},
    {"uniqueItems", TRUE},
    {"multipleOf", COPY},
    {"maxProperties", COPY},
    {"minProperties", COPY},
    {"enum", FILLED},
    {"required", REQUIRED},
    {"items", SCHEMA},
    {"properties", PROPERTIES},
    {"additionalProperties", ADDITIONAL},
    {"allOf", ALL_OF},
    {"anyOf", SCHEMAS},
    {"oneOf", SCHEMAS},
    {"not", NESTED},
    {"x-kubernetes-preserve-unknown-fields", TRUE},
    {"x-kubernetes-embedded-resource", TRUE},
    {"x-kubernetes-int-or-string", TRUE},
    {"x-kubernetes-list-map-keys", FILLED},
    {"x-kubernetes-list-type", COPY},
    {"x-kubernetes-map-type", COPY},
    {"x-kubernetes-validations", FILLED},
};

enum { KEYWORDS = sizeof keywords / sizeof *keywords };

/* The circumstances in which a schema is published, as bits of a sum. */
enum how {
    NESTED_IN = 1, /* within allOf, anyOf, oneOf or not, where a schema only restricts */
    WITHOUT_DESCRIPTIONS = 2,
    WITH_RESOURCE_FIELDS = 4,                  /* it has kind, apiVersion and metadata */
    IS_EMBEDDED = 8,                           /* and must have the first two */
    UNFOLDS_ALL_OF = 16,                       /* allOf says that it is an int-or-string */
    OF_ALL = NESTED_IN | WITHOUT_DESCRIPTIONS, /* they hold for the schemas in it, too */
};

/* More than a file may have (YAML_TEXT_CAP_BYTES), with what is published besides: no text is cut. */
enum { TEXT_CAP_BYTES = 512 * 1024 * 1024 };

static const char int_or_string[] = "[{\"type\":\"integer\"},{\"type\":\"string\"}]";

/* kind, apiVersion and metadata are the server's, whatever the schema says of them. */
static const struct {
    const char *name, *schema;
} resource_fields[] = {
    {"apiVersion", "{\"type\":\"string\"}"},
    {"kind", "{\"type\":\"string\"}"},
    {"metadata", "{\"allOf\":[{\"$ref\":\"" CRDSCHEMA_REF CRDSCHEMA_OBJECT_META "\"}]}"},
};

enum { RESOURCE_FIELDS = sizeof resource_fields / sizeof *resource_fields };

static void write_schema(struct buf *out, struct json_object *schema, unsigned how);

struct json_object *crdschema_ref(const char *component)
{
    cleanup_mem char *path = mem_printf(CRDSCHEMA_REF "%s", component);
    struct json_object *ref = json_object_new_object();
    struct json_object *all_of = json_object_new_array();
    struct json_object *property = json_object_new_object();
    jsonval_set(ref, "$ref", json_object_new_string(path));
    jsonval_append(all_of, ref);
    jsonval_set(property, "allOf", all_of);
    return property;
}

struct json_object *crdschema_of_type(const char *type)
{
    struct json_object *schema = json_object_new_object();
    jsonval_set(schema, "type", json_object_new_string(type));
    return schema;
}

static bool is_empty(struct json_object *value)
{
    const char *text = jsonval_text(value);
    return json_object_is_type(value, json_type_array) ? jsonval_length(value) == 0
                                                       : text == NULL || *text == '\0';
}

static void write_elements(struct buf *out, struct json_object *list, unsigned how)
{
    for (size_t i = 0; i < jsonval_length(list); i++) {
        jsontree_begin_element(out);
        write_schema(out, jsonval_at(list, i), how | NESTED_IN);
    }
}

static void write_list(struct buf *out, struct json_object *list, unsigned how)
{
    (void)buf_putc(out, '[');
    write_elements(out, list, how);
    (void)buf_putc(out, ']');
}

/* RESOURCE_FIELDS: it is none. */
static size_t find_resource_field(const char *name)
{
    size_t i = 0;
    while (i < RESOURCE_FIELDS && strcmp(resource_fields[i].name, name) != 0)
        i++;
    return i;
}

/* properties NULL: the schema has none. */
static void write_properties(struct buf *out, struct json_object *properties, unsigned how)
{
    const bool is_resource = (how & WITH_RESOURCE_FIELDS) != 0;
    bool is_written[RESOURCE_FIELDS] = {false};
    (void)buf_putc(out, '{');
    jsonval_each(properties, name, schema)
    {
        const size_t field = is_resource ? find_resource_field(name) : RESOURCE_FIELDS;
        jsontree_begin_member(out, name);
        if (field == RESOURCE_FIELDS) {
            write_schema(out, schema, how & OF_ALL);
            continue;
        }
        (void)buf_puts(out, resource_fields[field].schema);
        is_written[field] = true;
    }
    for (size_t i = 0; is_resource && i < RESOURCE_FIELDS; i++) {
        if (is_written[i])
            continue;
        jsontree_begin_member(out, resource_fields[i].name);
        (void)buf_puts(out, resource_fields[i].schema);
    }
    (void)buf_putc(out, '}');
}

/* An embedded resource must have these. */
static void write_required(struct buf *out, struct json_object *required)
{
    static const char *const fields[] = {"kind", "apiVersion"};
    (void)buf_putc(out, '[');
    for (size_t i = 0; i < jsonval_length(required); i++) {
        jsontree_begin_element(out);
        jsontree_write(out, jsonval_at(required, i));
    }
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (jsonval_has_text(required, fields[i]))
            continue;
        jsontree_begin_element(out);
        (void)buf_put_json(out, fields[i], strlen(fields[i]));
    }
    (void)buf_putc(out, ']');
}

/* Returns false if the keyword is dropped. */
static bool is_kept(enum keep keep, struct json_object *value, unsigned how)
{
    const bool is_object = json_object_is_type(value, json_type_object);
    switch (keep) {
    case COPY:
        return true;
    case TRUE:
        return json_object_is_type(value, json_type_boolean) && json_object_get_boolean(value);
    case DESCRIPTION:
        return (how & WITHOUT_DESCRIPTIONS) == 0 && !is_empty(value);
    case FILLED:
    case REQUIRED:
    case SCHEMAS:
    case ALL_OF:
        return !is_empty(value);
    case SCHEMA:
    case NESTED:
        return is_object;
    case ADDITIONAL:
        return (how & NESTED_IN) == 0;
    case PROPERTIES:
        return is_object && jsonval_count(value) > 0;
    }
    return false;
}

/* Returns true if that is what is published of the list. */
static bool is_int_or_string(struct json_object *any_of, unsigned how)
{
    cleanup_buf struct buf text;
    buf_init(&text, TEXT_CAP_BYTES);
    write_list(&text, any_of, how);
    return strcmp(text.data, int_or_string) == 0;
}

/* Returns true if an int-or-string does not say so a second time: in anyOf, or in allOf where anyOf has
 * another use. */
static bool is_folded(struct json_object *schema, unsigned how)
{
    struct json_object *first = jsonval_at(jsonval_array(schema, "allOf"), 0);
    return jsonval_is_true(schema, "x-kubernetes-int-or-string") &&
           !is_int_or_string(jsonval_array(schema, "anyOf"), how) &&
           !is_int_or_string(jsonval_array(first, "anyOf"), how);
}

static void write_unfolded(struct buf *out, struct json_object *all_of, unsigned how)
{
    (void)buf_puts(out, "[{\"anyOf\":");
    (void)buf_puts(out, int_or_string);
    (void)buf_putc(out, '}');
    write_elements(out, all_of, how);
    (void)buf_putc(out, ']');
}

static void write_value(struct buf *out, enum keep keep, struct json_object *value, unsigned how)
{
    const bool is_object = json_object_is_type(value, json_type_object);
    if (keep == PROPERTIES)
        write_properties(out, value, how);
    else if (keep == REQUIRED && (how & IS_EMBEDDED) != 0)
        write_required(out, value);
    else if (keep == ALL_OF && (how & UNFOLDS_ALL_OF) != 0)
        write_unfolded(out, value, how & OF_ALL);
    else if (keep == SCHEMAS || keep == ALL_OF)
        write_list(out, value, how & OF_ALL);
    else if (keep == NESTED)
        write_schema(out, value, (how & OF_ALL) | NESTED_IN);
    else if (keep == SCHEMA || (keep == ADDITIONAL && is_object))
        write_schema(out, value, how & OF_ALL);
    else
        jsontree_write(out, value);
}

/* Schemas have few members. KEYWORDS: it is none. */
static size_t find_keyword(const char *name)
{
    size_t i = 0;
    while (i < KEYWORDS && (keywords[i].name[0] != name[0] || strcmp(keywords[i].name, name) != 0))
        i++;
    return i;
}

/* Adds a keyword that the schema lacks. */
static void add_lacking(struct buf *out, struct json_object *schema, const struct keyword *k, unsigned how)
{
    struct json_object *value = jsonval_get(schema, k->name);
    if (value != NULL && is_kept(k->keep, value, how))
        return;
    jsontree_begin_member(out, k->name);
    write_value(out, k->keep, NULL, how);
}

static void write_schema(struct buf *out, struct json_object *schema, unsigned how)
{
    static const struct keyword all_of = {"allOf", ALL_OF}, properties = {"properties", PROPERTIES},
                                required = {"required", REQUIRED};
    const bool is_nested = (how & NESTED_IN) != 0, is_unfolded = !is_nested && is_folded(schema, how),
               has_any_of = is_unfolded && !is_empty(jsonval_get(schema, "anyOf"));
    struct json_object *values[KEYWORDS] = {NULL};
    if (!is_nested && jsonval_is_true(schema, "x-kubernetes-embedded-resource"))
        how |= WITH_RESOURCE_FIELDS | IS_EMBEDDED;
    how |= has_any_of ? UNFOLDS_ALL_OF : 0;
    jsonval_each(schema, name, value)
    {
        const size_t i = find_keyword(name);
        if (i < KEYWORDS)
            values[i] = value;
    }
    (void)buf_putc(out, '{');
    for (size_t i = 0; i < KEYWORDS; i++) {
        if (values[i] == NULL || !is_kept(keywords[i].keep, values[i], how))
            continue;
        jsontree_begin_member(out, keywords[i].name);
        write_value(out, keywords[i].keep, values[i], how);
    }
    if (is_unfolded && !has_any_of) {
        jsontree_begin_member(out, "anyOf");
        (void)buf_puts(out, int_or_string);
    }
    if ((how & UNFOLDS_ALL_OF) != 0)
        add_lacking(out, schema, &all_of, how);
    if ((how & WITH_RESOURCE_FIELDS) != 0)
        add_lacking(out, schema, &properties, how);
    if ((how & IS_EMBEDDED) != 0)
        add_lacking(out, schema, &required, how);
    (void)buf_putc(out, '}');
}

static void write_root(struct buf *out, struct json_object *schema, unsigned how)
{
    if (json_object_is_type(schema, json_type_object))
        write_schema(out, schema, how | WITH_RESOURCE_FIELDS);
    else
        (void)buf_puts(out, "{\"type\":\"object\"}");
}

void crdschema_write(struct buf *out, struct json_object *schema)
{
    write_root(out, schema, 0);
}

void crdschema_write_types(struct buf *out, struct json_object *schema)
{
    write_root(out, schema, WITHOUT_DESCRIPTIONS);
}
