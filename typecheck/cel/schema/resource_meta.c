#include "typecheck/cel/schema/resource_meta.h"

bool resource_meta_is_listed(resource_meta_type *type_of, const void *user)
{
    static const struct {
        struct str name;
        bool is_in_metadata;
        enum schema_json_type type;
    } fields[] = {{STR_INIT("kind"), false, JSON_STRING},
                  {STR_INIT("apiVersion"), false, JSON_STRING},
                  {STR_INIT("metadata"), false, JSON_OBJECT},
                  {STR_INIT("name"), true, JSON_STRING},
                  {STR_INIT("generateName"), true, JSON_STRING}};
    enum { FIELDS = sizeof fields / sizeof *fields };
    size_t i = 0;
    while (i < FIELDS && type_of(user, fields[i].is_in_metadata, fields[i].name) == fields[i].type)
        i++;
    return i == FIELDS;
}

struct resource {
    const struct schema *doc;
    const struct schema_node *node, *metadata;
};

static enum schema_json_type type_in_graph(const void *user, bool is_in_metadata, struct str name)
{
    const struct resource *r = user;
    if (str_eq(name, STR("metadata")))
        return r->metadata == NULL ? JSON_UNTYPED : (enum schema_json_type)r->metadata->type;
    const struct schema_property *p = schema_graph_find(r->doc, is_in_metadata ? r->metadata : r->node, name);
    return (enum schema_json_type)schema_graph_follow(r->doc, &r->doc->nodes[p == NULL ? 0 : p->node])->type;
}

bool resource_meta_is_in_graph(const struct schema *doc, const struct schema_node *node,
                               const struct schema_node *metadata)
{
    return resource_meta_is_listed(type_in_graph, &(struct resource){doc, node, metadata});
}
