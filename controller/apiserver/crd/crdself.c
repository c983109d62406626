#include "controller/apiserver/crd/crdself.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/crd/crdsite.h"
#include "controller/apiserver/crd/crdstructural.h"
#include "typecheck/schema.h"
#include "typecheck/version.h"

#define RULES CRDSITE_RULES

enum { STEP_BYTES = 256 };

/* A place of a schema: in the JSON, and in the graph that was read of it. */
struct at {
    const struct schema *schema;
    struct json_object *json;
    uint32_t node; /* 0: the graph has none */
};

/* Takes ".name" or "[key]" from the path. False: there is no such step, or it is too long for any. */
static bool next_step(const char **path, char name[STEP_BYTES])
{
    const char *start = *path + 1, *end = NULL;
    if (**path == '[')
        end = strchr(start, ']');
    else if (**path == '.')
        end = start + strcspn(start, ".[");
    if (end == NULL || (size_t)(end - start) >= STEP_BYTES)
        return false;
    memcpy(name, start, (size_t)(end - start));
    name[end - start] = '\0';
    *path = *end == ']' ? end + 1 : end;
    return true;
}

static void enter_property(struct at *at, const char *name)
{
    const struct schema_place *places = at->schema->places;
    uint32_t node = places[at->node].first_property;
    while (node != 0 && strcmp(at->schema->strings + places[node].key, name) != 0)
        node = places[node].next_property;
    at->json = jsonval_get(jsonval_get(at->json, "properties"), name);
    at->node = node;
}

/* A step into what holds data. False: it is none. */
static bool enter(struct at *at, const char *step, const char **path)
{
    char name[STEP_BYTES];
    const struct schema_node *node = &at->schema->nodes[at->node];
    if (strcmp(step, "properties") == 0) {
        if (!next_step(path, name))
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
    while (next_step(&path, step)) {
        if (strcmp(step, RULES) != 0) {
            if (!enter(at, step, &path))
                return false;
            continue;
        }
        if (!next_step(&path, index))
            return false;
        *rule = jsonval_at(jsonval_array(at->json, RULES), strtoul(index, NULL, 10));
        return strcmp(path, ".rule") == 0 || strcmp(path, ".messageExpression") == 0;
    }
    return false;
}

/* The schema of the version that the path begins with, and the rest of the path; NULL: there is none. */
static struct json_object *find_schema(struct json_object *definition, const char **path)
{
    static const char begin[] = "spec.versions[", schema[] = "].schema.openAPIV3Schema";
    struct json_object *versions = jsonval_array(jsonval_get(definition, "spec"), "versions");
    char *end;
    if (strncmp(*path, begin, sizeof begin - 1) != 0)
        return NULL;
    const size_t index = strtoul(*path + sizeof begin - 1, &end, 10);
    if (strncmp(end, schema, sizeof schema - 1) != 0)
        return NULL;
    *path = end + sizeof schema - 1;
    return jsonval_get(jsonval_get(jsonval_at(versions, index), "schema"), "openAPIV3Schema");
}

bool crdself_find(struct json_object *definition, int minor, const char *field, struct crdself *out)
{
    const struct kubernetes server = kubernetes_in(minor);
    const struct schema_definition how = {.is_resource = true,
                                          .bounds_names = server.bounds_names,
                                          .ignores_int_or_string_length = !server.counts_int_or_string};
    struct json_object *json = find_schema(definition, &field), *rule = NULL;
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
