/*
 * crdstructural: reads a CustomResourceDefinition's schema from its JSON value
 * into the graph that its rules are compiled against. Pure.
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDSTRUCTURAL_H
#define CONTROLLER_APISERVER_CRD_CRDSTRUCTURAL_H

#include <json-c/json.h>

#include "typecheck/schema/document.h"

/* The caller frees it with schema_free. NULL: see schema_new_definition. */
struct schema *crdstructural_read(struct json_object *schema, const struct schema_definition *definition);

#endif
