#include "typecheck/cel/interpreter/values/sent_object.h"

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/values/go_written.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/schema/go_type.h"
#include "typecheck/cel/schema/graph.h"
#include "typecheck/cel/schema/property_name.h"

/*
 * Objects of a built-in kind are values of Go (go_written.h). This walk is for custom resources, and follows
 * the object and its schema together: unknown members are pruned, a null that is not allowed counts as
 * absent, and defaults are added. The metadata of a custom resource is a struct of Go.
 */
static const struct value *fill(struct go_written *c, const struct value *v, uint32_t node, unsigned depth);

/* Returns true if a member has a value. A null that the schema does not allow (nullable) counts as absent. */
static bool is_there(const struct go_written *c, const struct value *v, uint32_t node)
{
    return v != NULL && (v->kind != VALUE_NULL || (c->doc->nodes[node].flags & SCHEMA_NULLABLE) != 0);
}

/* Returns true if the server drops a member that the schema does not have. A resource within a resource may
 * be of any kind. */
static bool is_pruned(const struct schema_node *node, struct str key)
{
    const uint8_t keeping = SCHEMA_PRESERVES_UNKNOWN | SCHEMA_ADDITIONAL_TRUE | SCHEMA_INT_OR_STRING;
    if (node->type != JSON_OBJECT || (node->flags & keeping) != 0)
        return false;
    for (size_t i = 0; i < SCHEMA_META_FIELDS && (node->flags & SCHEMA_EMBEDDED_RESOURCE) != 0; i++) {
        if (str_eq(key, schema_graph_meta[i]))
            return false;
    }
    return true;
}

static const struct value *fill_map(struct go_written *c, const struct value_map *json,
                                    const struct schema_node *node, unsigned depth)
{
    struct value *out = go_written_new_map(c, json->count);
    for (size_t i = 0; i < json->count; i++) {
        const struct value_entry *e = &json->entries[i];
        const struct schema_property *p =
            schema_graph_find(c->doc, node, property_name_of_key(c->arena, e->key->text));
        uint32_t below = p != NULL ? p->node : node->additional & SCHEMA_NODE_MASK;
        if (below == 0 && !is_pruned(node, e->key->text))
            value_map_add(c->arena, out->map, e->key, e->value);
        else if (below != 0 && is_there(c, e->value, below))
            value_map_add(c->arena, out->map, e->key, fill(c, e->value, below, depth + 1));
    }
    for (uint32_t i = 0; i < node->property_count; i++) {
        const struct schema_property *p = &c->doc->properties[node->properties + i];
        struct str key = go_written_key(c, p);
        arena_step(c->arena);
        if (value_map_member(c->arena, out->map, key) != NULL)
            continue;
        const struct value *v = go_written_default(c, p);
        if (v != NULL)
            value_map_add(c->arena, out->map, value_string(c->arena, key), fill(c, v, p->node, depth + 1));
    }
    return out;
}

/* Returns true if the node is the metadata of an object, which has a Go type in custom resources, too. */
static bool is_metadata(const struct go_written *c, uint32_t index, struct go_type *type)
{
    const uint32_t component = c->doc->nodes[index].component;
    if (component == 0 || component == SCHEMA_MISSING_REF)
        return false;
    *type = (struct go_type){c->doc, c->doc->components[component - 1].node, component};
    return str_eq(go_type_name(type), STR("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"));
}

static const struct value *fill(struct go_written *c, const struct value *v, uint32_t index, unsigned depth)
{
    struct go_type type;
    if (is_metadata(c, index & SCHEMA_NODE_MASK, &type))
        return go_written_complete(c, v, &type, depth + 1);
    const struct schema_node *node = schema_graph_follow(c->doc, &c->doc->nodes[index & SCHEMA_NODE_MASK]);
    arena_step(c->arena);
    if (depth > GO_WRITTEN_DEPTH)
        arena_fail(c->arena, ARENA_STEPS);
    if (v->kind == VALUE_MAP)
        return fill_map(c, v->map, node, depth);
    if (v->kind != VALUE_LIST || node->items == 0)
        return v;
    struct value *out = value_new_list(c->arena, v->list->count);
    for (size_t i = 0; i < v->list->count; i++)
        value_append(c->arena, out->list,
                     fill(c, v->list->items[i], node->items & SCHEMA_NODE_MASK, depth + 1));
    return out;
}

const struct value *sent_object_complete(struct arena *a, const struct value *json, const struct schema *doc,
                                         const struct schema_node *root)
{
    struct go_written c = {.arena = a, .doc = doc};
    struct go_type type;
    const struct value *v = go_type_of_resource(doc, root, &type)
                                ? go_written_complete(&c, json, &type, 0)
                                : fill(&c, json, (uint32_t)(root - doc->nodes), 0);
    return c.is_lost ? NULL : v;
}
