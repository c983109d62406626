/*
 * crdversion: the schema of a version of a CustomResourceDefinition, and the fields in it as an API server
 * names them. Pure.
 *
 *     cleanup_mem char *field = crdversion_field(0);   "spec.versions[0].schema.openAPIV3Schema"
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDVERSION_H
#define CONTROLLER_APISERVER_CRD_CRDVERSION_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

/* Returns the schema of a version, or NULL if it has none. */
struct json_object *crdversion_schema(struct json_object *version);
/* The field of the schema of the version at this index. The caller frees it. */
char *crdversion_field(size_t index);

/* The version in whose schema the field is, and the rest of the field, below the schema; NULL: in none. */
struct json_object *crdversion_find(struct json_object *definition, const char *field, const char **below);
/* Takes the name or key of the first step, ".name" or "[key]", from the rest of a field. False: there is no
 * such step, or its name has no room. */
bool crdversion_step(const char **below, char *name, size_t room);

#endif
