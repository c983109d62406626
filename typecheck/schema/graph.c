#include "typecheck/schema/graph.h"

const struct schema_property *schema_graph_find(const struct schema *doc, const struct schema_node *node,
                                                struct str name)
{
    uint32_t low = 0, high = node->property_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct schema_property *p = &doc->properties[node->properties + middle];
        int order = str_cmp(str_of(doc->strings + p->name), name);
        if (order == 0)
            return p;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const struct str schema_graph_meta[SCHEMA_META_FIELDS] = {STR_INIT("kind"), STR_INIT("apiVersion"),
                                                          STR_INIT("metadata")};

static bool is_string(const struct schema *doc, const struct schema_node *node, struct str name)
{
    const struct schema_property *p = schema_graph_find(doc, node, name);
    const struct schema_node *property = &doc->nodes[p == NULL ? 0 : p->node];
    if (property->component != 0 && property->component != SCHEMA_MISSING_REF)
        property = &doc->nodes[doc->components[property->component - 1].node];
    return property->type == JSON_STRING;
}

bool schema_graph_lists_meta(const struct schema *doc, const struct schema_node *node,
                             const struct schema_node *metadata)
{
    return is_string(doc, node, STR("kind")) && is_string(doc, node, STR("apiVersion")) && metadata != NULL &&
           metadata->type == JSON_OBJECT && is_string(doc, metadata, STR("name")) &&
           is_string(doc, metadata, STR("generateName"));
}
