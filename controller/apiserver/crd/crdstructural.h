/*
 * crdstructural: reads a CustomResourceDefinition's schema from its JSON value
 * into the graph that its rules are compiled against. Pure.
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDSTRUCTURAL_H
#define CONTROLLER_APISERVER_CRD_CRDSTRUCTURAL_H

#include <json-c/json.h>

#include "typecheck/schema.h"

/* The reading of a resource's schema by a server 1.minor. */
struct schema_definition crdstructural_in(int minor);

/* The value as JSON text for schema_new_definition. The caller frees it with mem_free. (The text that json-c
 * makes would stay in memory as long as the value.) */
char *crdstructural_text(struct json_object *schema);

/* The caller frees the result with schema_free; it does not refer to the value. Returns NULL if the schema is
 * too large or too deep, or there is no memory. */
struct schema *crdstructural_read(struct json_object *schema, const struct schema_definition *definition);

#endif
