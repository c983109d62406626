/*
 * crdstructural: reads a CustomResourceDefinition's schema from its JSON value
 * into the graph that its rules are compiled against. Pure.
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDSTRUCTURAL_H
#define CONTROLLER_APISERVER_CRD_CRDSTRUCTURAL_H

#include <json-c/json.h>

#include "typecheck/schema.h"

/* The value as JSON, which schema_new_definition reads. The caller frees it. json-c's own would stay with the
 * value. */
char *crdstructural_text(struct json_object *schema);

/* The caller frees it with schema_free. NULL: see schema_new_definition. */
struct schema *crdstructural_read(struct json_object *schema, const struct schema_definition *definition);

#endif
