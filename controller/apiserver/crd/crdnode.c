#include "controller/apiserver/crd/crdnode.h"

#include <string.h>

#include "client/base/keymap.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"

#define LIST_TYPE "x-kubernetes-list-type"
#define MAP_TYPE  "x-kubernetes-map-type"
#define MAP_KEYS  "x-kubernetes-list-map-keys"

static const char *const types[] = {"array", "boolean", "integer", "number", "object", "string", NULL};
static const char *const list_types[] = {"atomic", "set", "map", NULL};
static const char *const map_types[] = {"atomic", "granular", NULL};

/* One schema's check. */
struct run {
    struct json_object *schema;
    const char *field;
    struct crdwork *work;
    struct fielderrors *out;
    bool is_hopeless; /* there is no structural schema for it */
};

static bool is_schema(struct json_object *value)
{
    return json_object_is_type(value, json_type_object);
}

static bool has_members(struct json_object *value)
{
    return is_schema(value) && jsonval_count(value) > 0;
}

static void add(struct run *r, char *message, const char *key)
{
    fielderrors_add(r->out, message, "%s.%s", r->field, key);
}

/* A text that is one of a few, if it is set. */
static void check_choice(struct run *r, const char *key, const char *const *choices)
{
    fielderrors_check_choice(r->out, jsonval_string(r->schema, key), choices, "%s.%s", r->field, key);
}

/* ---- keywords ---- */

static void check_items(struct run *r)
{
    if (jsonval_length(jsonval_array(r->schema, "items")) == 0)
        return;
    r->is_hopeless = true;
    add(r, fielderrors_forbidden("items must be a schema object and not an array"), "items");
}

static void check_type_name(struct run *r)
{
    if (jsonval_string_or_empty(r->schema, "type")[0] != '\0')
        check_choice(r, "type", types);
    if (jsonval_is(r->schema, "type", "null"))
        add(r, fielderrors_forbidden("type cannot be set to null, use nullable as an alternative"), "type");
}

/* Keywords of JSON Schema that make a schema unusual. */
static const struct keyword {
    const char *key;
    bool is_unsupported;
    bool may_be_empty; /* empty is as good as absent */
} unusual[] = {{"id", true, true},
               {"additionalItems", true, false},
               {"patternProperties", true, true},
               {"definitions", true, true},
               {"dependencies", true, false},
               {"$ref", true, false},
               {"uniqueItems", false, false},
               {"default", false, false},
               {"additionalProperties", false, false}};
enum { UNUSUAL = sizeof unusual / sizeof *unusual };

/* Returns true if the schema has none of them and none of Kubernetes' keywords: of most schemas, only the
 * type and the items are checked. */
static bool is_usual(struct json_object *schema)
{
    jsonval_each(schema, keyword, value)
    {
        size_t i = 0;
        while (i < UNUSUAL && (*keyword != *unusual[i].key || strcmp(keyword, unusual[i].key) != 0))
            i++;
        if (i < UNUSUAL || *keyword == 'x')
            return false;
    }
    return true;
}

static void check_unsupported(struct run *r)
{
    for (size_t i = 0; i < UNUSUAL; i++) {
        const char *key = unusual[i].key;
        struct json_object *value = unusual[i].is_unsupported ? jsonval_get(r->schema, key) : NULL;
        const char *text = jsonval_text(value);
        bool is_empty = text != NULL ? *text == '\0' : is_schema(value) && !has_members(value);
        if (value == NULL || (unusual[i].may_be_empty && is_empty))
            continue;
        r->is_hopeless = r->is_hopeless || !is_empty;
        cleanup_mem char *detail = mem_printf("%s is not supported", key);
        add(r, fielderrors_forbidden(detail), key);
    }
    check_items(r);
    if (jsonval_is_true(r->schema, "uniqueItems"))
        add(r,
            fielderrors_forbidden(
                "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"),
            "uniqueItems");
}

static void check_keywords(struct run *r, const struct crdnode_place *place)
{
    struct json_object *additional = jsonval_get(r->schema, "additionalProperties");
    struct json_object *unknown = jsonval_get(r->schema, "x-kubernetes-preserve-unknown-fields");
    static const struct fielderrors newest = {0}; /* a boolean is the same to all */
    check_type_name(r);
    if (jsonval_get(r->schema, "default") != NULL && place->no_defaults != NULL) {
        cleanup_mem char *detail = mem_printf("must not be set %s", place->no_defaults);
        add(r, fielderrors_forbidden(detail), "default");
    }
    if (place->is_in_meta && jsonval_is_true(r->schema, "x-kubernetes-embedded-resource"))
        add(r, fielderrors_forbidden("must not be used inside of resource meta"),
            "x-kubernetes-embedded-resource");
    if (additional != NULL && has_members(jsonval_get(r->schema, "properties")) &&
        (is_schema(additional) || !json_object_get_boolean(additional)))
        add(r, fielderrors_forbidden("additionalProperties and properties are mutual exclusive"),
            "additionalProperties");
    if (unknown != NULL && !json_object_get_boolean(unknown)) {
        r->is_hopeless = true;
        add(r, fielderrors_invalid_json(&newest, unknown, "", "must be true or undefined"),
            "x-kubernetes-preserve-unknown-fields");
    }
}

/* ---- lists and maps ---- */

/* Returns true if the schema is of the type that the key wants. */
static bool check_type(struct run *r, const char *key, const char *wanted)
{
    const char *type = jsonval_string_or_empty(r->schema, "type");
    if (jsonval_text(jsonval_get(r->schema, key)) == NULL || strcmp(type, wanted) == 0)
        return true;
    cleanup_mem char *detail = mem_printf("must be %s if %s is specified", wanted, key);
    add(r, *type == '\0' ? fielderrors_required(detail) : fielderrors_invalid(type, detail), "type");
    return false;
}

static void check_set(struct run *r, struct json_object *items)
{
    static const struct {
        const char *type, *key;
    } kinds[] = {{"array", LIST_TYPE}, {"object", MAP_TYPE}};
    for (size_t i = 0; i < 2; i++) {
        const char *kind = jsonval_string(items, kinds[i].key);
        bool is_atomic = kind == NULL ? i == 0 : strcmp(kind, "atomic") == 0;
        cleanup_mem char *key = mem_printf("items.%s", kinds[i].key);
        if (jsonval_is(items, "type", kinds[i].type) && !is_atomic)
            add(r,
                fielderrors_invalid_json(r->out, jsonval_get(items, LIST_TYPE), "",
                                         "must be atomic as item of a list with " LIST_TYPE "=set"),
                key);
    }
}

/* Each of the keys is looked for among the others, and each message repeats all of them. */
static bool pay_for_key(struct run *r, struct json_object *items, struct json_object *keys)
{
    size_t others = jsonval_length(keys) + jsonval_length(jsonval_array(items, "required"));
    return crdwork_pay_text(r->work, others);
}

static void check_map_keys(struct run *r, struct json_object *items, struct json_object *keys)
{
    struct json_object *properties = jsonval_get(items, "properties");
    struct keymap seen = {0};
    for (size_t i = 0; i < jsonval_length(keys) && pay_for_key(r, items, keys); i++) {
        const char *name = jsonval_text(jsonval_at(keys, i));
        if (name == NULL)
            break; /* it does not decode */
        struct json_object *property = jsonval_get(properties, name);
        cleanup_mem char *key = mem_printf("items.properties[%s].type", name);
        if (property == NULL)
            add(r,
                fielderrors_invalid_json(r->out, keys, "string",
                                         "entries must all be names of item properties"),
                MAP_KEYS);
        else if (jsonval_is(property, "type", "array") || jsonval_is(property, "type", "object"))
            add(r,
                fielderrors_invalid("object", "must be a scalar type if parent array's " LIST_TYPE " is map"),
                key);
        if (!keymap_add(&seen, name))
            add(r, fielderrors_invalid_json(r->out, keys, "string", "must not contain duplicate entries"),
                MAP_KEYS);
    }
    keymap_deinit(&seen, NULL);
}

static void check_map(struct run *r, struct json_object *items, struct json_object *keys)
{
    const char *type = jsonval_string_or_empty(items, "type");
    if (jsonval_length(keys) == 0)
        add(r, fielderrors_required("must not be empty if " LIST_TYPE " is map"), MAP_KEYS);
    if (items == NULL)
        add(r, fielderrors_required("must have a schema if " LIST_TYPE " is map"), "items");
    else if (is_schema(items) && strcmp(type, "object") != 0)
        add(r, fielderrors_invalid(type, "must be object if parent array's " LIST_TYPE " is map"),
            "items.type");
    else if (is_schema(items))
        check_map_keys(r, items, keys);
}

/* Keys and items that tell data apart must be there. */
static void check_identity(struct run *r, struct json_object *items, struct json_object *keys)
{
    const char *kind = jsonval_string_or_empty(r->schema, LIST_TYPE);
    if (!is_schema(items) || (strcmp(kind, "set") != 0 && strcmp(kind, "map") != 0))
        return;
    cleanup_mem char *detail = mem_printf("cannot be nullable when " LIST_TYPE " is %s", kind);
    if (jsonval_is_true(items, "nullable"))
        add(r, fielderrors_forbidden(detail), "items.nullable");
    for (size_t i = 0; strcmp(kind, "map") == 0 && i < jsonval_length(keys) && pay_for_key(r, items, keys);
         i++) {
        const char *name = jsonval_text(jsonval_at(keys, i));
        struct json_object *property =
            name == NULL ? NULL : jsonval_get(jsonval_get(items, "properties"), name);
        if (property == NULL)
            continue;
        if (!jsonval_has_text(jsonval_array(items, "required"), name) &&
            jsonval_get(property, "default") == NULL)
            fielderrors_add(r->out,
                            fielderrors_required("this property is in " MAP_KEYS
                                                 ", so it must have a default or be a required property"),
                            "%s.items.properties[%s].default", r->field, name);
        if (jsonval_is_true(property, "nullable"))
            fielderrors_add(
                r->out, fielderrors_forbidden("this property is in " MAP_KEYS ", so it cannot be nullable"),
                "%s.items.properties[%s].nullable", r->field, name);
    }
}

static void check_containers(struct run *r)
{
    struct json_object *items = jsonval_get(r->schema, "items"), *keys = jsonval_array(r->schema, MAP_KEYS);
    const char *kind = jsonval_string(r->schema, LIST_TYPE);
    check_type(r, MAP_TYPE, "object");
    check_choice(r, MAP_TYPE, map_types);
    if (check_type(r, LIST_TYPE, "array") && jsonval_is(r->schema, LIST_TYPE, "set") && is_schema(items))
        check_set(r, items);
    check_choice(r, LIST_TYPE, list_types);
    if (jsonval_length(keys) > 0 && kind == NULL)
        add(r, fielderrors_required("must be map if " MAP_KEYS " is non-empty"), LIST_TYPE);
    else if (jsonval_length(keys) > 0 && strcmp(kind, "map") != 0)
        add(r, fielderrors_invalid(kind, "must be map if " MAP_KEYS " is non-empty"), LIST_TYPE);
    if (kind != NULL && strcmp(kind, "map") == 0)
        check_map(r, items, keys);
    check_identity(r, items, keys);
}

bool crdnode_check(struct json_object *schema, const char *field, const struct crdnode_place *place,
                   struct crdwork *work, struct fielderrors *out)
{
    struct run r = {schema, field, work, out, false};
    if (is_usual(schema)) {
        check_items(&r);
        check_type_name(&r);
        return !r.is_hopeless;
    }
    check_unsupported(&r);
    check_keywords(&r, place);
    check_containers(&r);
    return !r.is_hopeless;
}
