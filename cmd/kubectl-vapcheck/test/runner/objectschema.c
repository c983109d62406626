#include "cmd/kubectl-vapcheck/test/runner/objectschema.h"

#include <stdio.h>
#include <string.h>

#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "typecheck/schema.h"
#include "typecheck/text.h"

enum { PATH_BYTES = 1024 };

/* Memory for names that are escaped: more than a file's text. */
#define ARENA_BYTES ((size_t)256 * 1024 * 1024)

struct walk {
    struct testobject *object;
    const struct schema *doc;
    struct arena arena;
};

/* A value, and where it stands in the object. */
struct at {
    const struct yaml_node *value;
    const struct at *parent; /* the value around it; NULL for the object itself */
    size_t index;            /* in the parent */
};

/* "spec.containers[0].image"; cut where it is longer than PATH_BYTES. */
static void write_path(const struct at *at, char *path)
{
    if (at->parent == NULL) {
        *path = '\0';
        return;
    }
    write_path(at->parent, path);
    const size_t len = strlen(path);
    if (at->value->key != NULL)
        (void)snprintf(path + len, PATH_BYTES - len, "%s%s", len == 0 ? "" : ".", at->value->key);
    else
        (void)snprintf(path + len, PATH_BYTES - len, "[%zu]", at->index);
}

static const struct schema_node *resolve(const struct schema *doc, const struct schema_node *node)
{
    return node->component == SCHEMA_MISSING_REF ? NULL : schema_graph_follow(doc, node);
}

static const char *name_of(enum json_type type)
{
    switch (type) {
    case json_type_null:
        return "null";
    case json_type_boolean:
        return "a boolean";
    case json_type_double:
    case json_type_int:
        return "a number";
    case json_type_object:
        return "an object";
    case json_type_array:
        return "a list";
    case json_type_string:
        return "a string";
    }
    return "";
}

static bool fits(enum schema_json_type wanted, enum json_type type)
{
    switch (wanted) {
    case JSON_UNTYPED:
        return true;
    case JSON_ARRAY:
        return type == json_type_array;
    case JSON_OBJECT:
        return type == json_type_object;
    case JSON_STRING:
        return type == json_type_string;
    case JSON_BOOLEAN:
        return type == json_type_boolean;
    case JSON_NUMBER:
        return type == json_type_double || type == json_type_int;
    case JSON_INTEGER:
        return type == json_type_int;
    }
    return true;
}

static const char *name_of_wanted(enum schema_json_type wanted)
{
    static const char *const names[] = {
        [JSON_UNTYPED] = "",          [JSON_ARRAY] = "a list",      [JSON_OBJECT] = "an object",
        [JSON_STRING] = "a string",   [JSON_BOOLEAN] = "a boolean", [JSON_NUMBER] = "a number",
        [JSON_INTEGER] = "an integer"};
    return names[wanted];
}

/* Takes the problem; the first one stays. */
static void refuse(struct walk *w, struct yaml_place where, char *problem)
{
    if (w->object->problem != NULL) {
        mem_free(problem);
        return;
    }
    w->object->problem = problem;
    w->object->problem_at = where;
}

static void refuse_type(struct walk *w, const struct at *at, const char *wanted)
{
    char path[PATH_BYTES];
    write_path(at, path);
    refuse(w, at->value->start,
           mem_printf("%s is %s, and must be %s", *path == '\0' ? "the object" : path,
                      name_of(json_object_get_type(at->value->json)), wanted));
}

static void refuse_field(struct walk *w, const struct at *at)
{
    char path[PATH_BYTES];
    write_path(at, path);
    refuse(w, at->value->key_start, mem_printf("unknown field \"%s\"", path));
}

static void check(struct walk *w, const struct schema_node *node, const struct at *at);

static void check_member(struct walk *w, const struct schema_node *node, const struct at *at)
{
    const struct schema_property *p =
        node->property_count == 0
            ? NULL
            : schema_graph_find(w->doc, node, property_name_of_key(&w->arena, str_of(at->value->key)));
    if (p != NULL)
        check(w, &w->doc->nodes[p->node], at);
    else if (node->additional != 0)
        check(w, &w->doc->nodes[node->additional & SCHEMA_NODE_MASK], at);
    else if (!schema_graph_takes_members(node))
        refuse_field(w, at);
}

static void check(struct walk *w, const struct schema_node *node, const struct at *at)
{
    const struct yaml_node *value = at->value;
    node = resolve(w->doc, node);
    if (node == NULL || value->json == NULL)
        return;
    const enum json_type type = json_object_get_type(value->json);
    if ((node->flags & SCHEMA_INT_OR_STRING) != 0) {
        if (type != json_type_int && type != json_type_string)
            refuse_type(w, at, "an integer or a string");
        return;
    }
    if (!fits((enum schema_json_type)node->type, type)) {
        refuse_type(w, at, name_of_wanted((enum schema_json_type)node->type));
        return;
    }
    const bool has_parts = type == json_type_object || (type == json_type_array && node->items != 0);
    for (size_t i = 0; has_parts && i < value->n_children && w->object->problem == NULL; i++) {
        const struct at below = {value->children[i], at, i};
        if (type == json_type_object)
            check_member(w, node, &below);
        else
            check(w, &w->doc->nodes[node->items & SCHEMA_NODE_MASK], &below);
    }
}

void objectschema_check(struct testobject *object, struct schemas *schemas)
{
    struct walk w = {.object = object};
    struct json_object *json = object->root->json;
    const char *kind = jsonval_string_or_empty(json, "kind");
    cleanup_groupversion struct groupversion gv =
        groupversion_split(jsonval_string_or_empty(json, "apiVersion"));
    if (object->is_checked)
        return;
    object->is_checked = true;
    if (*gv.version == '\0' || *kind == '\0') {
        refuse(&w, object->place.at, mem_strdup("an object needs apiVersion and kind"));
        return;
    }
    const struct policy_run_type type = schemas_type(schemas, gv.group, gv.version, kind);
    if (type.root == NULL)
        return;
    w.doc = type.doc;
    arena_init(&w.arena, ARENA_BYTES);
    if (setjmp(w.arena.escape) == 0)
        check(&w, type.root, &(struct at){object->root, NULL, 0});
    else
        refuse(&w, object->place.at, mem_strdup("the object is too large to be checked"));
    arena_deinit(&w.arena);
}
