/*
 * crdfieldpath: whether a rule's fieldPath (".spec.names['a.b']") leads to a
 * field of a schema. Pure.
 *
 * Follows ValidFieldPath of k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel.
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDFIELDPATH_H
#define CONTROLLER_APISERVER_CRD_CRDFIELDPATH_H

#include <json-c/json.h>
#include <stdbool.h>

#include "typecheck/text.h"

bool crdfieldpath_is_valid(struct json_object *schema, struct str path);

#endif
