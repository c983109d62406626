#include "controller/apiserver/crd/crdschema.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

/* The treatment of a keyword. One that is in no row is dropped, as the server's decoding does. */
enum keep {
    COPY,        /* unless null */
    TRUE,        /* where it is true */
    FILLED,      /* unless it is empty */
    SCHEMA,      /* one schema */
    ADDITIONAL,  /* one schema or a boolean, not within allOf and its like */
    SCHEMAS,     /* a list of schemas that only restrict the value */
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
    {"required", FILLED},
    {"items", SCHEMA},
    {"properties", PROPERTIES},
    {"additionalProperties", ADDITIONAL},
    {"allOf", SCHEMAS},
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
};

static struct json_object *publish(struct json_object *schema, unsigned how);

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

static struct json_object *publish_list(struct json_object *list, unsigned how)
{
    struct json_object *out = json_object_new_array();
    for (size_t i = 0; i < jsonval_length(list); i++)
        jsonval_append(out, publish(jsonval_at(list, i), how | NESTED_IN));
    return out;
}

static struct json_object *publish_properties(struct json_object *properties, unsigned how)
{
    struct json_object *out = json_object_new_object();
    jsonval_each(properties, name, schema)
    {
        jsonval_set(out, name, publish(schema, how));
    }
    return out;
}

/* Returns the keyword's value as it is published, or NULL if the keyword is dropped. */
static struct json_object *keep_value(const struct keyword *k, struct json_object *value, unsigned how)
{
    bool is_object = json_object_is_type(value, json_type_object);
    switch (k->keep) {
    case COPY:
        return json_object_get(value);
    case TRUE:
        return json_object_is_type(value, json_type_boolean) && json_object_get_boolean(value)
                   ? json_object_get(value)
                   : NULL;
    case DESCRIPTION:
        if ((how & WITHOUT_DESCRIPTIONS) != 0)
            return NULL;
        return is_empty(value) ? NULL : json_object_get(value);
    case FILLED:
        return is_empty(value) ? NULL : json_object_get(value);
    case SCHEMA:
        return is_object ? publish(value, how) : NULL;
    case NESTED:
        return is_object ? publish(value, how | NESTED_IN) : NULL;
    case ADDITIONAL:
        if ((how & NESTED_IN) != 0)
            return NULL;
        return is_object ? publish(value, how) : json_object_get(value);
    case SCHEMAS:
        return is_empty(value) ? NULL : publish_list(value, how);
    case PROPERTIES:
        return is_object && jsonval_count(value) > 0 ? publish_properties(value, how) : NULL;
    }
    return NULL;
}

static struct json_object *int_or_string(void)
{
    struct json_object *list = json_object_new_array();
    jsonval_append(list, crdschema_of_type("integer"));
    jsonval_append(list, crdschema_of_type("string"));
    return list;
}

static bool has_int_or_string(struct json_object *any_of)
{
    struct json_object *wanted = int_or_string();
    bool answer = json_object_equal(any_of, wanted) == 1;
    json_object_put(wanted);
    return answer;
}

/* An int-or-string says so a second time, in anyOf, or in allOf where anyOf has another use. */
static void unfold_int_or_string(struct json_object *out)
{
    struct json_object *any_of = jsonval_array(out, "anyOf");
    struct json_object *all_of = jsonval_array(out, "allOf");
    if (has_int_or_string(any_of) || has_int_or_string(jsonval_array(jsonval_at(all_of, 0), "anyOf")))
        return;
    if (any_of == NULL) {
        jsonval_set(out, "anyOf", int_or_string());
        return;
    }
    struct json_object *list = json_object_new_array();
    struct json_object *first = json_object_new_object();
    jsonval_set(first, "anyOf", int_or_string());
    jsonval_append(list, first);
    for (size_t i = 0; i < jsonval_length(all_of); i++)
        jsonval_append(list, json_object_get(jsonval_at(all_of, i)));
    jsonval_set(out, "allOf", list);
}

/* kind, apiVersion and metadata are the server's, whatever the schema says of them. */
static void add_resource_fields(struct json_object *out)
{
    struct json_object *properties = jsonval_get(out, "properties");
    if (properties == NULL) {
        properties = json_object_new_object();
        jsonval_set(out, "properties", properties);
    }
    jsonval_set(properties, "apiVersion", crdschema_of_type("string"));
    jsonval_set(properties, "kind", crdschema_of_type("string"));
    jsonval_set(properties, "metadata", crdschema_ref(CRDSCHEMA_OBJECT_META));
}

static void require_resource_fields(struct json_object *out)
{
    static const char *const fields[] = {"kind", "apiVersion"};
    struct json_object *list = json_object_new_array();
    struct json_object *required = jsonval_array(out, "required");
    for (size_t i = 0; i < jsonval_length(required); i++)
        jsonval_append(list, json_object_get(jsonval_at(required, i)));
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (!jsonval_has_text(required, fields[i]))
            jsonval_append(list, json_object_new_string(fields[i]));
    }
    jsonval_set(out, "required", list);
}

/* Schemas have few members. KEYWORDS: it is none. */
static size_t find_keyword(const char *name)
{
    size_t i = 0;
    while (i < KEYWORDS && (keywords[i].name[0] != name[0] || strcmp(keywords[i].name, name) != 0))
        i++;
    return i;
}

static struct json_object *publish(struct json_object *schema, unsigned how)
{
    const bool is_nested = (how & NESTED_IN) != 0;
    struct json_object *out = json_object_new_object(), *values[KEYWORDS] = {NULL};
    jsonval_each(schema, name, value)
    {
        const size_t i = find_keyword(name);
        if (i < KEYWORDS)
            values[i] = value;
    }
    for (size_t i = 0; i < KEYWORDS; i++) {
        struct json_object *kept = values[i] == NULL ? NULL : keep_value(&keywords[i], values[i], how);
        if (kept != NULL)
            jsonval_set(out, keywords[i].name, kept);
    }
    if (!is_nested && jsonval_is_true(out, "x-kubernetes-int-or-string"))
        unfold_int_or_string(out);
    if (!is_nested && jsonval_is_true(out, "x-kubernetes-embedded-resource")) {
        add_resource_fields(out);
        require_resource_fields(out);
    }
    return out;
}

static struct json_object *publish_root(struct json_object *schema, unsigned how)
{
    if (!json_object_is_type(schema, json_type_object))
        return crdschema_of_type("object");
    struct json_object *out = publish(schema, how);
    add_resource_fields(out);
    return out;
}

struct json_object *crdschema_publish(struct json_object *schema)
{
    return publish_root(schema, 0);
}

struct json_object *crdschema_publish_types(struct json_object *schema)
{
    return publish_root(schema, WITHOUT_DESCRIPTIONS);
}
