#include "typecheck/policy/crdrules/custom_value.h"

#include <string.h>

#include "bytes/base64.h"
#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/json_value.h"
#include "typecheck/cel/interpreter/values/times.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/schema/property_name.h"
#include "typecheck/cel/schema/resource_meta.h"

enum { DEPTH = 1000 };

struct reading {
    struct arena *arena;
    struct str missing;
    unsigned depth;
};

/* ---- schemas ---- */

const struct value *custom_value_member(struct arena *a, const struct value *schema, struct str name)
{
    return schema == NULL || schema->kind != VALUE_MAP ? NULL : value_map_member(a, schema->map, name);
}

struct str custom_value_text(struct arena *a, const struct value *schema, struct str name)
{
    const struct value *v = custom_value_member(a, schema, name);
    return v == NULL || v->kind != VALUE_STRING ? STR("") : v->text;
}

bool custom_value_flag(struct arena *a, const struct value *schema, struct str name)
{
    const struct value *v = custom_value_member(a, schema, name);
    return v != NULL && v->kind == VALUE_BOOL && v->boolean;
}

const struct value *custom_value_entry_schema(struct arena *a, const struct value *schema, struct str name,
                                              bool *is_property)
{
    const struct value *property =
        custom_value_member(a, custom_value_member(a, schema, STR("properties")), name);
    const struct value *additional = custom_value_member(a, schema, STR("additionalProperties"));
    const bool has_additional = additional != NULL && additional->kind == VALUE_MAP;
    *is_property = property != NULL;
    return property != NULL ? property : has_additional ? additional : NULL;
}

struct resource {
    struct arena *arena;
    const struct value *properties;
};

static enum schema_json_type type_in_json(const void *user, bool is_in_metadata, struct str name)
{
    const struct resource *r = user;
    const struct value *metadata = custom_value_member(r->arena, r->properties, STR("metadata")),
                       *names = custom_value_member(r->arena, metadata, STR("properties")),
                       *schema = custom_value_member(r->arena, is_in_metadata ? names : r->properties, name);
    const struct str type = custom_value_text(r->arena, schema, STR("type"));
    return str_eq(type, STR("string"))   ? JSON_STRING
           : str_eq(type, STR("object")) ? JSON_OBJECT
                                         : JSON_UNTYPED; /* any other: no field of it is asked for */
}

/* The properties of a resource. */
static const struct value *with_meta(struct arena *a, const struct value *properties)
{
    static const struct str meta =
        STR_INIT("{\"kind\":{\"type\":\"string\"},\"apiVersion\":{\"type\":\"string\"},\"metadata\":{"
                 "\"type\":\"object\","
                 "\"properties\":{\"name\":{\"type\":\"string\"},\"generateName\":{\"type\":\"string\"}}}}");
    const struct value *added = json_value_read(a, meta);
    const size_t count = properties == NULL || properties->kind != VALUE_MAP ? 0 : properties->map->count;
    if (resource_meta_is_listed(type_in_json, &(struct resource){a, properties}))
        return properties;
    struct value *all = value_map_new(a, count + added->map->count);
    for (size_t i = 0; i < count; i++)
        value_map_set(a, all->map, properties->map->entries[i].key, properties->map->entries[i].value);
    for (size_t i = 0; i < added->map->count; i++)
        value_map_set(a, all->map, added->map->entries[i].key, added->map->entries[i].value);
    all->map->is_json = true;
    return all;
}

/* ---- values ---- */

static const struct value *read_value(struct reading *r, const struct value *json, const struct value *schema,
                                      bool is_resource);

static const struct value *lack(struct reading *r, struct str what)
{
    if (r->missing.len == 0)
        r->missing = what;
    return &value_null;
}

static const struct value *hidden_key(struct arena *a, struct str name)
{
    static const char first[] = {VALUE_MAP_HIDDEN};
    return value_string(a, str_join(a, STR_PARTS((struct str){first, 1}, name)));
}

/* Returns true if the schema has a type; values without one are not exposed to CEL. */
static bool has_type(struct arena *a, const struct value *schema)
{
    return custom_value_text(a, schema, STR("type")).len != 0 ||
           custom_value_flag(a, schema, STR("x-kubernetes-int-or-string"));
}

/* Fields are found by their names in CEL. */
static void read_field(struct reading *r, const struct value_entry *e, const struct value *properties,
                       struct value *out)
{
    struct arena *a = r->arena;
    const struct value *schema = custom_value_member(a, properties, e->key->text);
    struct str name;
    const bool is_found =
        schema != NULL && has_type(a, schema) && property_name_escape(a, e->key->text, &name);
    if (!is_found || e->value->kind == VALUE_NULL)
        value_map_set(a, out->map, hidden_key(a, is_found ? name : e->key->text), e->value);
    else
        value_map_set(a, out->map, value_string(a, name), read_value(r, e->value, schema, false));
}

static const struct value *read_map(struct reading *r, const struct value *json, const struct value *schema,
                                    bool is_resource)
{
    struct arena *a = r->arena;
    const struct value *additional = custom_value_member(a, schema, STR("additionalProperties")),
                       *properties = custom_value_member(a, schema, STR("properties"));
    if (is_resource)
        properties = with_meta(a, properties);
    struct value *out = value_map_new(a, json->map->count);
    out->map->is_json = true;
    out->go = VALUE_GO_CUSTOM;
    for (size_t i = 0; i < json->map->count; i++) {
        const struct value_entry *e = &json->map->entries[i];
        if (properties == NULL && additional != NULL && additional->kind == VALUE_MAP)
            value_map_set(a, out->map, e->key, read_value(r, e->value, additional, false));
        else
            read_field(r, e, properties, out);
    }
    return out;
}

/* The names of the fields that are the keys of a list's items. */
static const struct value_list *read_keys(struct reading *r, const struct value *schema)
{
    const struct value *keys = custom_value_member(r->arena, schema, STR("x-kubernetes-list-map-keys"));
    const bool are_there = keys != NULL && keys->kind == VALUE_LIST;
    struct value *none = value_new_list(r->arena, 0);
    for (size_t i = 0; are_there && i < keys->list->count; i++) {
        const struct value *key = keys->list->items[i];
        struct str name;
        if (key->kind != VALUE_STRING || !property_name_escape(r->arena, key->text, &name) ||
            !str_eq(name, key->text))
            (void)lack(r, STR("vapcheck does not evaluate lists whose keys have names that CEL escapes"));
    }
    return are_there ? keys->list : none->list;
}

static const struct value *read_list(struct reading *r, const struct value *json, const struct value *schema)
{
    const struct value *items = custom_value_member(r->arena, schema, STR("items"));
    const struct str type = custom_value_text(r->arena, schema, STR("x-kubernetes-list-type"));
    struct value *out = value_new_list(r->arena, json->list->count);
    out->go = VALUE_GO_CUSTOM;
    if (str_eq(type, STR("map"))) {
        out->list->type = VALUE_LIST_MAP;
        out->list->keys = read_keys(r, schema);
    } else if (str_eq(type, STR("set"))) {
        out->list->type = VALUE_LIST_SET;
    }
    for (size_t i = 0; i < json->list->count; i++)
        value_append(r->arena, out->list, read_value(r, json->list->items[i], items, false));
    return out;
}

/* Returns the bytes that the text encodes; NULL if it is empty, is no base64 with its padding, or has line
 * breaks. */
static const struct value *read_bytes(struct arena *a, struct str text)
{
    const size_t most = BASE64_BYTES(text.len);
    char *bytes = ARENA_ARRAY(a, most, char);
    size_t count;
    arena_pay(a, text.len / ARENA_STEP_BYTES);
    if (text.len == 0 || memchr(text.at, '\n', text.len) != NULL || memchr(text.at, '\r', text.len) != NULL ||
        !base64_decode(text.at, text.len, bytes, &count))
        return NULL;
    return value_bytes(a, (struct str){bytes, count});
}

static const struct value *read_text(struct reading *r, const struct value *json, struct str format)
{
    const struct value *v = json;
    struct str text = json->text;
    if (str_eq(format, STR("byte")))
        v = read_bytes(r->arena, text);
    else if (str_eq(format, STR("duration")))
        v = times_read_duration(r->arena, text);
    else if (str_eq(format, STR("date")))
        v = times_read_timestamp(r->arena, str_join(r->arena, STR_PARTS(text, STR("T00:00:00Z"))));
    else if (str_eq(format, STR("date-time")))
        v = times_read_timestamp(r->arena, text);
    return v != NULL ? v : lack(r, STR("vapcheck does not read this text in the format of its schema"));
}

static const struct value *refuse(struct reading *r, struct str wanted)
{
    return value_error(r->arena, str_join(r->arena, STR_PARTS(STR("invalid data, expected "), wanted)));
}

static const struct value *read_scalar(struct reading *r, const struct value *json,
                                       const struct value *schema, struct str type)
{
    if (str_eq(type, STR("string")))
        return json->kind == VALUE_STRING
                   ? read_text(r, json, custom_value_text(r->arena, schema, STR("format")))
                   : refuse(r, STR("string"));
    if (str_eq(type, STR("number")) && json->kind == VALUE_INT)
        return value_double(r->arena, (double)json->integer);
    if (str_eq(type, STR("number")))
        return json->kind == VALUE_DOUBLE ? json : refuse(r, STR("float"));
    if (str_eq(type, STR("integer")))
        return json->kind == VALUE_INT ? json : refuse(r, STR("int"));
    if (str_eq(type, STR("boolean")))
        return json->kind == VALUE_BOOL ? json : refuse(r, STR("bool"));
    return lack(r, STR("vapcheck does not evaluate a rule on an object with a value that has no type"));
}

static const struct value *read_shape(struct reading *r, const struct value *json, const struct value *schema,
                                      bool is_resource)
{
    struct arena *a = r->arena;
    const struct str type = custom_value_text(a, schema, STR("type"));
    if (json->kind == VALUE_NULL)
        return custom_value_flag(a, schema, STR("nullable"))
                   ? json
                   : value_error(a, STR("invalid data, got null for schema with nullable=false"));
    if (custom_value_flag(a, schema, STR("x-kubernetes-int-or-string")))
        return json->kind == VALUE_STRING || json->kind == VALUE_INT
                   ? json
                   : refuse(r, STR("XIntOrString value to be either a string or integer"));
    if (str_eq(type, STR("object")))
        return json->kind == VALUE_MAP ? read_map(r, json, schema, is_resource)
                                       : refuse(r, STR("a map for the provided schema with type=object"));
    if (str_eq(type, STR("array")))
        return json->kind == VALUE_LIST ? read_list(r, json, schema)
                                        : refuse(r, STR("an array for the provided schema with type=array"));
    return read_scalar(r, json, schema, type);
}

static const struct value *read_value(struct reading *r, const struct value *json, const struct value *schema,
                                      bool is_resource)
{
    arena_step(r->arena);
    if (++r->depth > DEPTH)
        arena_fail(r->arena, ARENA_STEPS);
    const bool is_embedded =
        is_resource || custom_value_flag(r->arena, schema, STR("x-kubernetes-embedded-resource"));
    const struct value *v = read_shape(r, json, schema, is_embedded);
    r->depth--;
    return v;
}

const struct value *custom_value_of(struct arena *a, const struct value *json, const struct value *schema,
                                    bool is_resource, struct str *missing)
{
    struct reading r = {.arena = a, .missing = STR("")};
    const struct value *v = read_value(&r, json, schema, is_resource);
    *missing = r.missing;
    return r.missing.len == 0 ? v : NULL;
}
