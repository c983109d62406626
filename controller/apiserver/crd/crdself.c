#include "controller/apiserver/crd/crdself.h"

#include <stdlib.h>
#include <string.h>

#include "client/text/jsonval.h"
#include "controller/apiserver/crd/crdsite.h"
#include "controller/apiserver/crd/crdstructural.h"
#include "controller/apiserver/crd/crdversion.h"
#include "typecheck/schema.h"

#define RULES CRDSITE_RULES

enum { STEP_BYTES = 256 };

/* A place of a schema: in the JSON, and in the graph that was read of it. */
struct at {
    const struct schema *schema;
    struct json_object *json;
    uint32_t node; /* 0: the graph has none */
};

static void enter_property(struct at *at, const char *name)
{
    const struct schema_place *places = at->schema->places;
    uint32_t node = places[at->node].first_property;
    while (node != 0 && strcmp(at->schema->strings + places[node].key, name) != 0)
        node = places[node].next_property;
    at->json = jsonval_get(jsonval_get(at->json, "properties"), name);
    at->node = node;
}

/* Takes a step into something that holds data. Returns false if it does not. */
static bool enter(struct at *at, const char *step, const char **path)
{
    char name[STEP_BYTES];
    const struct schema_node *node = &at->schema->nodes[at->node];
    if (strcmp(step, "properties") == 0) {
        if (!crdversion_step(path, name, sizeof name))
            return false;
        enter_property(at, name);
    } else if (strcmp(step, "items") == 0 || strcmp(step, "additionalProperties") == 0) {
        at->json = jsonval_get(at->json, step);
        at->node = *step == 'i' ? node->items : node->additional;
    } else {
        return false;
    }
    return at->node != 0 && json_object_is_type(at->json, json_type_object);
}

/* Follows the path below the schema. If that succeeds, `at` is the rule's place, and *rule its own JSON. */
static bool follow(struct at *at, const char *path, struct json_object **rule)
{
    char step[STEP_BYTES], index[STEP_BYTES];
    while (crdversion_step(&path, step, sizeof step)) {
        if (strcmp(step, RULES) != 0) {
            if (!enter(at, step, &path))
                return false;
            continue;
        }
        if (!crdversion_step(&path, index, sizeof index))
            return false;
        *rule = jsonval_at(jsonval_array(at->json, RULES), strtoul(index, NULL, 10));
        return strcmp(path, ".rule") == 0 || strcmp(path, ".messageExpression") == 0;
    }
    return false;
}

bool crdself_find(struct json_object *definition, int minor, const char *field, struct crdself *out)
{
    const struct schema_definition how = crdstructural_in(minor);
    struct json_object *json = crdversion_schema(crdversion_find(definition, field, &field)), *rule = NULL;
    *out = (struct crdself){.schema = NULL};
    if (!json_object_is_type(json, json_type_object))
        return false;
    out->schema = crdstructural_read(json, &how);
    struct at at = {.schema = out->schema, .json = json};
    if (out->schema != NULL) {
        at.node = out->schema->root;
        if (follow(&at, field, &rule)) {
            out->type = (struct crd_type){.schema = out->schema, .node = at.node};
            out->at = at.json;
            out->has_optional_old_self = jsonval_is_true(rule, "optionalOldSelf");
            if (crd_type_is_exposed(&out->type))
                return true;
        }
    }
    crdself_deinit(out);
    return false;
}

void crdself_deinit(struct crdself *self)
{
    schema_free(self->schema);
    *self = (struct crdself){.schema = NULL};
}
