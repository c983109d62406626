#include "controller/crd/crdstructural.h"

#include <stdlib.h>
#include <string.h>

#include "client/text/jsonval.h"

/* Of a DNS subdomain; what is generated behind a name has at least one. */
enum { LONGEST_NAME = 253 };

static struct str text_of(struct json_object *schema, const char *key)
{
    struct json_object *value = jsonval_get(schema, key);
    const char *text = jsonval_text(value);
    return text == NULL ? STR("") : (struct str){text, (size_t)json_object_get_string_len(value)};
}

static struct structural_bound bound_of(struct json_object *schema, const char *key)
{
    struct json_object *value = jsonval_get(schema, key);
    /* 10.0 is an integer to the server, too */
    bool is_number =
        json_object_is_type(value, json_type_int) || json_object_is_type(value, json_type_double);
    return (struct structural_bound){is_number, is_number ? json_object_get_int64(value) : 0};
}

static void read_enum(struct structural *node, struct json_object *list)
{
    node->has_enum = jsonval_length(list) > 0;
    for (size_t i = 0; i < jsonval_length(list); i++) {
        struct json_object *value = jsonval_at(list, i);
        int64_t len = jsonval_text(value) == NULL ? 0 : json_object_get_string_len(value);
        if (len > node->longest_enum_bytes)
            node->longest_enum_bytes = len;
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A schema's required names, sorted. */
struct required {
    const char **names;
    size_t count;
};

static struct required read_required(struct arena *arena, struct json_object *list)
{
    struct required r = {.names = ARENA_ARRAY(arena, jsonval_length(list) + 1, const char *)};
    for (size_t i = 0; i < jsonval_length(list); i++) {
        const char *name = jsonval_text(jsonval_at(list, i));
        if (name != NULL)
            r.names[r.count++] = name;
    }
    qsort(r.names, r.count, sizeof *r.names, compare_names);
    return r;
}

static void read_properties(struct arena *arena, struct structural *node, struct json_object *schema,
                            struct crdstructural_options within)
{
    struct json_object *properties = jsonval_get(schema, "properties");
    if (!json_object_is_type(properties, json_type_object))
        return;
    size_t count = (size_t)json_object_object_length(properties);
    struct required required = read_required(arena, jsonval_array(schema, "required"));
    node->properties = ARENA_ARRAY(arena, count, struct structural_property);
    json_object_object_foreach(properties, name, property)
    {
        struct structural *child = crdstructural_read(arena, property, within);
        if (child != NULL)
            node->properties[node->property_count++] = (struct structural_property){
                str_of(name),
                bsearch(&name, required.names, required.count, sizeof *required.names, compare_names) != NULL,
                child};
    }
}

/* The schema of a resource's metadata may have a shorter bound of its own. */
static struct structural_bound shorter(struct json_object *schema, const char *name, int64_t most)
{
    struct json_object *metadata = jsonval_get(jsonval_get(schema, "properties"), "metadata");
    struct json_object *property = jsonval_get(jsonval_get(metadata, "properties"), name);
    struct structural_bound own = bound_of(property, "maxLength");
    return own.is_set && own.value < most ? own : (struct structural_bound){true, most};
}

struct structural *crdstructural_read(struct arena *arena, struct json_object *schema,
                                      struct crdstructural_options options)
{
    struct crdstructural_options within = {.bounds_names = options.bounds_names};
    if (!json_object_is_type(schema, json_type_object))
        return NULL;
    struct structural *node = ARENA_NEW(arena, struct structural);
    *node = (struct structural){
        .type = text_of(schema, "type"),
        .format = text_of(schema, "format"),
        .is_int_or_string = jsonval_is_true(schema, "x-kubernetes-int-or-string"),
        .is_resource = options.is_root || jsonval_is_true(schema, "x-kubernetes-embedded-resource"),
        .has_default = jsonval_get(schema, "default") != NULL,
        .max_items = bound_of(schema, "maxItems"),
        .max_properties = bound_of(schema, "maxProperties"),
        .max_length = bound_of(schema, "maxLength"),
        .items = crdstructural_read(arena, jsonval_get(schema, "items"), within),
        .additional = crdstructural_read(arena, jsonval_get(schema, "additionalProperties"), within),
    };
    read_enum(node, jsonval_array(schema, "enum"));
    read_properties(arena, node, schema, within);
    if (node->is_resource && options.bounds_names) {
        node->name_length = shorter(schema, "name", LONGEST_NAME);
        node->generate_name_length = shorter(schema, "generateName", LONGEST_NAME - 1);
    }
    return node;
}
