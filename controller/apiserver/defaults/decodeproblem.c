#include "controller/apiserver/defaults/decodeproblem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bytes/base64.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/defaults/quantity.h"
#include "typecheck/schema.h"

/* Bytes of a path in a message, and of a value's text. */
enum { PATH_BYTES = 512, SHOWN_BYTES = 60 };

struct place {
    const struct place *parent; /* the value around it; NULL for the object itself */
    const char *key;            /* the field's name; NULL for an item of a list */
    size_t index;
};

struct search {
    struct arena *arena;
    const struct schema *doc;
    char *problem;
};

static void write_path(const struct place *at, char *path)
{
    if (at->parent == NULL) {
        *path = '\0';
        return;
    }
    write_path(at->parent, path);
    const size_t len = strlen(path);
    if (at->key != NULL)
        (void)snprintf(path + len, PATH_BYTES - len, "%s%s", len == 0 ? "" : ".", at->key);
    else
        (void)snprintf(path + len, PATH_BYTES - len, "[%zu]", at->index);
}

static void refuse(struct search *s, const struct place *at, struct json_object *value, const char *wanted)
{
    char path[PATH_BYTES];
    const char *text = json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN);
    write_path(at, path);
    if (s->problem == NULL)
        s->problem = mem_printf("%s is %.*s%s, and must be %s", *path == '\0' ? "the object" : path,
                                SHOWN_BYTES, text, strlen(text) > SHOWN_BYTES ? "..." : "", wanted);
}

static bool is_base64(struct json_object *value)
{
    const size_t len = (size_t)json_object_get_string_len(value);
    cleanup_mem char *bytes = mem_zalloc(BASE64_BYTES(len) + 1);
    size_t count;
    return base64_decode(json_object_get_string(value), len, bytes, &count);
}

/* The form that the value must have; NULL: it has it. */
static const char *find_wanted(const struct schema_node *node, struct json_object *value)
{
    const enum json_type type = json_object_get_type(value);
    const bool is_whole =
        type == json_type_int ||
        (type == json_type_double && floor(json_object_get_double(value)) == json_object_get_double(value));
    if ((node->flags & SCHEMA_INT_OR_STRING) != 0)
        return is_whole || type == json_type_string ? NULL : "an integer or a string";
    switch ((enum schema_json_type)node->type) {
    case JSON_UNTYPED:
        return NULL;
    case JSON_ARRAY:
        return type == json_type_array ? NULL : "a list";
    case JSON_OBJECT:
        return type == json_type_object ? NULL : "an object";
    case JSON_STRING:
        return type != json_type_string                           ? "a string"
               : node->format == FORMAT_BYTE && !is_base64(value) ? "base64"
                                                                  : NULL;
    case JSON_BOOLEAN:
        return type == json_type_boolean ? NULL : "a boolean";
    case JSON_NUMBER:
        return type == json_type_double || type == json_type_int ? NULL : "a number";
    case JSON_INTEGER:
        return is_whole ? NULL : "an integer";
    }
    return NULL;
}

static bool is_quantity(const struct search *s, const struct schema_node *node)
{
    const struct str name = schema_graph_component(s->doc, node);
    return str_eq(name, STR("io.k8s.apimachinery.pkg.api.resource.Quantity"));
}

/* A number is one, too. */
static bool is_quantity_text(struct json_object *value)
{
    const enum json_type type = json_object_get_type(value);
    return type == json_type_int || type == json_type_double ||
           (type == json_type_string && quantity_is_valid(json_object_get_string(value)));
}

static void check(struct search *s, const struct schema_node *node, struct json_object *value,
                  const struct place *at);

static void check_members(struct search *s, const struct schema_node *node, struct json_object *value,
                          const struct place *at)
{
    jsonval_each(value, key, member)
    {
        const struct place below = {at, key, 0};
        const struct schema_property *p =
            node->property_count == 0
                ? NULL
                : schema_graph_find(s->doc, node, property_name_of_key(s->arena, str_of(key)));
        if (p != NULL)
            check(s, &s->doc->nodes[p->node], member, &below);
        else if (node->additional != 0)
            check(s, &s->doc->nodes[node->additional & SCHEMA_NODE_MASK], member, &below);
    }
}

static void check(struct search *s, const struct schema_node *node, struct json_object *value,
                  const struct place *at)
{
    arena_step(s->arena);
    if (value == NULL || s->problem != NULL || node->component == SCHEMA_MISSING_REF)
        return;
    if (is_quantity(s, node)) {
        if (!is_quantity_text(value))
            refuse(s, at, value, "a quantity");
        return;
    }
    node = schema_graph_follow(s->doc, node);
    const char *wanted = find_wanted(node, value);
    if (wanted != NULL)
        refuse(s, at, value, wanted);
    else if (json_object_is_type(value, json_type_object))
        check_members(s, node, value, at);
    else if (node->items != 0) {
        for (size_t i = 0; i < jsonval_length(value); i++)
            check(s, &s->doc->nodes[node->items & SCHEMA_NODE_MASK], jsonval_at(value, i),
                  &(struct place){at, NULL, i});
    }
}

char *decodeproblem_find(struct arena *a, const struct policy_run_type *type, struct json_object *object)
{
    struct search s = {.arena = a, .doc = type->doc};
    check(&s, type->root, object, &(struct place){NULL, NULL, 0});
    return s.problem;
}
