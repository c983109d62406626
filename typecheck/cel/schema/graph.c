#include "typecheck/cel/schema/graph.h"

/* As str_cmp: most names differ in the first letters, so the length of the text is not looked for. */
static int compare(const char *text, struct str name)
{
    for (size_t i = 0; i < name.len; i++) {
        const unsigned char l = (unsigned char)text[i], r = (unsigned char)name.at[i];
        if (l != r || l == '\0')
            return l == '\0' || l < r ? -1 : 1;
    }
    return text[name.len] != '\0';
}

const struct schema_property *schema_graph_find(const struct schema *doc, const struct schema_node *node,
                                                struct str name)
{
    if (!schema_graph_may_have(doc, str_hash(name)))
        return NULL;
    const unsigned first = schema_graph_first(name);
    uint32_t low = 0, high = node->property_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct schema_property *p = &doc->properties[node->properties + middle];
        const int order =
            p->first != first ? (p->first < first ? -1 : 1) : compare(doc->strings + p->name, name);
        if (order == 0)
            return p;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static bool refers(const struct schema_node *node)
{
    return node->component != 0 && node->component != SCHEMA_MISSING_REF;
}

const struct schema_node *schema_graph_follow(const struct schema *doc, const struct schema_node *node)
{
    return refers(node) ? &doc->nodes[doc->components[node->component - 1].node] : node;
}

struct str schema_graph_component(const struct schema *doc, const struct schema_node *node)
{
    return refers(node) ? str_of(doc->strings + doc->components[node->component - 1].name) : STR("");
}

bool schema_graph_takes_members(const struct schema_node *node)
{
    return (node->flags & (SCHEMA_PRESERVES_UNKNOWN | SCHEMA_ADDITIONAL_TRUE)) != 0 ||
           (node->property_count == 0 && node->additional == 0);
}

struct str schema_graph_enum(const struct schema *doc, const struct schema_node *node)
{
    bool has = node->type == JSON_STRING && node->property_count == 0;
    return has ? str_of(doc->strings + node->properties) : STR("");
}

const struct str schema_graph_meta[SCHEMA_META_FIELDS] = {STR_INIT("kind"), STR_INIT("apiVersion"),
                                                          STR_INIT("metadata")};
