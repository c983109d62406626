#include "controller/apiserver/crd/crdinvariants.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/crd/crdchild.h"

enum level { LEVEL_ROOT, LEVEL_ITEM, LEVEL_FIELD };

/* One schema's check. */
struct run {
    struct crdwork *work;
    struct fielderrors *out;
    size_t n_paid; /* errors whose text was paid for */
};

/* Begins another schema. Returns false if the work is used up. */
static bool enter(struct run *r, const char *field)
{
    return crdwork_pay_errors(r->work, r->out, &r->n_paid) && crdwork_enter(r->work, field);
}

/* The parts of a schema's logic that are the usual way to write an int-or-string. */
struct pattern {
    bool in_any_of, in_first_all_of;
};

static void check_nested(struct json_object *schema, struct pattern skipped, const char *field,
                         struct run *r);

static bool is_schema(struct json_object *value)
{
    return json_object_is_type(value, json_type_object);
}

static const char *type_of(struct json_object *schema)
{
    return jsonval_string_or_empty(schema, "type");
}

/* Returns true if Go takes it as no value. */
static bool is_zero(struct json_object *value)
{
    if (json_object_is_type(value, json_type_string))
        return json_object_get_string_len(value) == 0;
    if (json_object_is_type(value, json_type_boolean))
        return json_object_get_boolean(value) == 0;
    if (json_object_is_type(value, json_type_array))
        return jsonval_length(value) == 0;
    return value == NULL;
}

/* ---- nested schemas: under not, allOf, anyOf, oneOf ---- */

/* {"type": TYPE} and nothing else. */
static bool is_only_type(struct json_object *schema, const char *type)
{
    return is_schema(schema) && jsonval_count(schema) == 1 && jsonval_is(schema, "type", type);
}

static bool is_int_or_string(struct json_object *any_of)
{
    return jsonval_length(any_of) == 2 && is_only_type(jsonval_at(any_of, 0), "integer") &&
           is_only_type(jsonval_at(any_of, 1), "string");
}

static void check_logic(struct json_object *schema, struct pattern skipped, const char *field, struct run *r)
{
    static const enum crdchild_way logic[] = {CRDCHILD_ANY_OF, CRDCHILD_ALL_OF, CRDCHILD_ONE_OF, CRDCHILD_NOT,
                                              CRDCHILD_END};
    struct crdchild child = crdchild_in(schema, skipped.in_any_of ? logic + 1 : logic);
    while (crdchild_next(&child)) {
        const bool is_first = child.way == CRDCHILD_ALL_OF && child.index == 0;
        const struct pattern inner = {.in_any_of = is_first && skipped.in_first_all_of};
        cleanup_mem char *at = crdchild_field(&child, field);
        check_nested(child.schema, inner, at, r);
    }
}

/* The keywords that only the schema itself may have, not its logic. */
static const struct {
    const char *key, *problem;
} forbidden[] = {
    {"type", "must be empty to be structural"},
    {"default", "must be undefined to be structural"},
    {"title", "must be empty to be structural"},
    {"description", "must be empty to be structural"},
    {"nullable", "must be false to be structural"},
    {"x-kubernetes-preserve-unknown-fields", "must be false to be structural"},
    {"x-kubernetes-embedded-resource", "must be false to be structural"},
    {"x-kubernetes-int-or-string", "must be false to be structural"},
    {"x-kubernetes-list-map-keys", "must be empty to be structural"},
    {"x-kubernetes-list-type", "must be undefined to be structural"},
    {"x-kubernetes-map-type", "must be undefined to be structural"},
    {"x-kubernetes-validations", "must be empty to be structural"},
    {"additionalProperties", "must be undefined to be structural"},
};

/* A default of false is one. */
static bool is_set(struct json_object *schema, const char *key)
{
    struct json_object *value = jsonval_get(schema, key);
    return strcmp(key, "default") == 0 ? value != NULL : !is_zero(value);
}

static void check_nested(struct json_object *schema, struct pattern skipped, const char *field, struct run *r)
{
    static const struct pattern none = {0};
    static const enum crdchild_way data[] = {CRDCHILD_ITEMS, CRDCHILD_PROPERTY, CRDCHILD_END};
    if (!is_schema(schema) || !enter(r, field))
        return;
    check_logic(schema, skipped, field, r);
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
        if (is_set(schema, forbidden[i].key))
            fielderrors_add(r->out, fielderrors_forbidden(forbidden[i].problem), "%s.%s", field,
                            forbidden[i].key);
    }
    struct crdchild child = crdchild_in(schema, data);
    while (crdchild_next(&child)) {
        cleanup_mem char *at = crdchild_field(&child, field);
        check_nested(child.schema, none, at, r);
        if (child.way == CRDCHILD_PROPERTY && strcmp(child.name, "metadata") == 0)
            fielderrors_add(r->out, fielderrors_forbidden("must not be specified in a nested context"), "%s",
                            at);
    }
}

/* ---- the schema itself ---- */

static void check_metadata(struct json_object *metadata, bool is_resource, enum level level,
                           const char *field, struct run *r)
{
    struct json_object *properties = jsonval_get(metadata, "properties");
    bool is_plain = true;
    if (is_resource && !jsonval_is(metadata, "type", "object"))
        fielderrors_add(r->out, fielderrors_invalid(type_of(metadata), "must be object"), "%s.type", field);
    if (level != LEVEL_ROOT)
        return;
    jsonval_each(metadata, key, value)
    {
        bool is_known =
            strcmp(key, "type") == 0 || strcmp(key, "default") == 0 || strcmp(key, "properties") == 0;
        is_plain = is_plain && (is_known || is_zero(value));
    }
    if (is_schema(properties)) {
        jsonval_each(properties, name, property)
        {
            (void)property;
            is_plain = is_plain && (strcmp(name, "name") == 0 || strcmp(name, "generateName") == 0);
        }
    }
    if (!is_plain)
        fielderrors_add(
            r->out,
            fielderrors_forbidden("must not specify anything other than name and generateName, but "
                                  "metadata is implicitly specified"),
            "%s", field);
}

static void check_type(struct json_object *schema, enum level level, const char *field, struct run *r)
{
    static const char *const where[] = {[LEVEL_ROOT] = "at the root",
                                        [LEVEL_ITEM] = "for specified array items",
                                        [LEVEL_FIELD] = "for specified object fields"};
    const char *type = type_of(schema), *wanted = "must be object if x-kubernetes-embedded-resource is true";
    bool is_embedded = jsonval_is_true(schema, "x-kubernetes-embedded-resource");
    if (is_embedded && strcmp(type, "object") != 0) {
        fielderrors_add(r->out,
                        *type == '\0' ? fielderrors_required(wanted) : fielderrors_invalid(type, wanted),
                        "%s.type", field);
    } else if (*type == '\0' && !jsonval_is_true(schema, "x-kubernetes-int-or-string") &&
               !jsonval_is_true(schema, "x-kubernetes-preserve-unknown-fields")) {
        cleanup_mem char *detail = mem_printf("must not be empty %s", where[level]);
        fielderrors_add(r->out, fielderrors_required(detail), "%s.type", field);
    }
    if (level == LEVEL_ROOT && *type != '\0' && strcmp(type, "object") != 0)
        fielderrors_add(r->out, fielderrors_invalid(type, "must be object at the root"), "%s.type", field);
}

static void check_extensions(struct json_object *schema, const char *field, struct run *r)
{
    static const char *const keys[] = {"x-kubernetes-preserve-unknown-fields",
                                       "x-kubernetes-embedded-resource"};
    for (size_t i = 0; i < 2; i++) {
        if (jsonval_is_true(schema, "x-kubernetes-int-or-string") && jsonval_is_true(schema, keys[i]))
            fielderrors_add(r->out,
                            fielderrors_invalid_json(r->out, jsonval_get(schema, keys[i]), "",
                                                     "must be false if x-kubernetes-int-or-string is true"),
                            "%s.%s", field, keys[i]);
    }
    if (!jsonval_is_true(schema, "x-kubernetes-embedded-resource"))
        return;
    struct json_object *properties = jsonval_get(schema, "properties");
    if (jsonval_get(schema, "additionalProperties") != NULL)
        fielderrors_add(r->out,
                        fielderrors_forbidden("must not be used if x-kubernetes-embedded-resource is set"),
                        "%s.additionalProperties", field);
    if (!jsonval_is_true(schema, "x-kubernetes-preserve-unknown-fields") &&
        (!is_schema(properties) || jsonval_count(properties) == 0))
        fielderrors_add(
            r->out,
            fielderrors_required("must not be empty if x-kubernetes-embedded-resource is true without "
                                 "x-kubernetes-preserve-unknown-fields"),
            "%s.properties", field);
}

/* Checks the fields that every resource has. */
static void check_resource(struct json_object *properties, bool is_resource, enum level level,
                           const char *field, struct run *r)
{
    static const char *const keys[] = {"kind", "apiVersion"};
    for (size_t i = 0; i < 2 && is_resource; i++) {
        struct json_object *property = jsonval_get(properties, keys[i]);
        if (property != NULL && !jsonval_is(property, "type", "string"))
            fielderrors_add(r->out, fielderrors_invalid(type_of(property), "must be string"),
                            "%s.properties[%s].type", field, keys[i]);
    }
    if (!is_schema(jsonval_get(properties, "metadata")))
        return;
    cleanup_mem char *at = mem_printf("%s.properties[metadata]", field);
    check_metadata(jsonval_get(properties, "metadata"), is_resource, level, at, r);
}

static void check_schema(struct json_object *schema, enum level level, const char *field, struct run *r);

static void check_children(struct json_object *schema, enum level level, const char *field, struct run *r)
{
    static const enum crdchild_way data[] = {CRDCHILD_ITEMS, CRDCHILD_ADDITIONAL, CRDCHILD_PROPERTY,
                                             CRDCHILD_END};
    if (jsonval_is(schema, "type", "array") && jsonval_get(schema, "items") == NULL)
        fielderrors_add(r->out, fielderrors_required("must be specified"), "%s.items", field);
    if (jsonval_get(schema, "additionalProperties") != NULL && level == LEVEL_ROOT)
        fielderrors_add(r->out, fielderrors_forbidden("must not be used at the root"),
                        "%s.additionalProperties", field);
    struct crdchild child = crdchild_in(schema, data);
    while (crdchild_next(&child)) {
        cleanup_mem char *at = crdchild_field(&child, field);
        check_schema(child.schema, child.way == CRDCHILD_ITEMS ? LEVEL_ITEM : LEVEL_FIELD, at, r);
    }
}

/* Recurses as deep as the JSON is. */
static void check_schema(struct json_object *schema, enum level level, const char *field, struct run *r)
{
    if (!is_schema(schema) || !enter(r, field))
        return;
    struct pattern pattern = {
        .in_any_of = is_int_or_string(jsonval_array(schema, "anyOf")),
        .in_first_all_of =
            is_int_or_string(jsonval_array(jsonval_at(jsonval_array(schema, "allOf"), 0), "anyOf")),
    };
    bool is_resource = level == LEVEL_ROOT || jsonval_is_true(schema, "x-kubernetes-embedded-resource");
    check_children(schema, level, field, r);
    check_extensions(schema, field, r);
    check_logic(schema, pattern, field, r);
    check_type(schema, level, field, r);
    check_resource(jsonval_get(schema, "properties"), is_resource, level, field, r);
}

/* ---- logic about places that the schema does not have ---- */

/* schema NULL: there is no such place. */
static void check_complete(struct json_object *nested, struct json_object *schema, const char *nested_field,
                           const char *field, struct run *r);

static void complete_logic(struct json_object *nested, struct json_object *schema, const char *nested_field,
                           const char *field, struct run *r)
{
    static const enum crdchild_way logic[] = {CRDCHILD_NOT, CRDCHILD_ALL_OF, CRDCHILD_ANY_OF, CRDCHILD_ONE_OF,
                                              CRDCHILD_END};
    struct crdchild child = crdchild_in(nested, logic);
    while (crdchild_next(&child)) {
        cleanup_mem char *at = crdchild_field(&child, nested_field);
        check_complete(child.schema, schema, at, field, r);
    }
}

static void check_complete(struct json_object *nested, struct json_object *schema, const char *nested_field,
                           const char *field, struct run *r)
{
    static const enum crdchild_way data[] = {CRDCHILD_ITEMS, CRDCHILD_PROPERTY, CRDCHILD_END};
    cleanup_mem char *detail = mem_printf("because it is defined in %s", nested_field);
    if (!is_schema(nested) || !enter(r, nested_field))
        return;
    if (!is_schema(schema)) {
        fielderrors_add(r->out, fielderrors_required(detail), "%s", field);
        return;
    }
    complete_logic(nested, schema, nested_field, field, r);
    struct crdchild child = crdchild_in(nested, data);
    while (crdchild_next(&child)) {
        cleanup_mem char *nested_at = crdchild_field(&child, nested_field);
        cleanup_mem char *at = crdchild_field(&child, field);
        check_complete(child.schema, crdchild_twin(&child, schema), nested_at, at, r);
    }
}

static int compare_errors(const void *a, const void *b)
{
    const struct fielderror *x = a, *y = b;
    cleanup_mem char *left = mem_printf("%s: %s", x->field, x->message);
    cleanup_mem char *right = mem_printf("%s: %s", y->field, y->message);
    return strcmp(left, right);
}

void crdinvariants_check(struct json_object *schema, const char *field, struct crdwork *work,
                         struct fielderrors *out)
{
    struct fielderrors found = {0};
    struct run r = {.work = work, .out = &found};
    check_schema(schema, LEVEL_ROOT, field, &r);
    complete_logic(schema, schema, field, field, &r);
    if (found.count > 1)
        qsort(found.items, found.count, sizeof *found.items, compare_errors);
    fielderrors_take(out, &found);
}
