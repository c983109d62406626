/*
 * composite: makes the CustomResourceDefinitions that Crossplane makes from a
 * CompositeResourceDefinition. Pure.
 *
 * One is for the composite resource; if the definition has claimNames, a second
 * one is for its claim. Crossplane copies some members of the schema's root, of
 * `spec` and of `status`, replaces all others, and adds its own fields (Crossplane 2: crossplane-runtime,
 * pkg/xcrd). The rules keep the paths that they have in the definition.
 *
 *     struct json_object *crd = composite_make(definition, COMPOSITE_RESOURCE);
 *     ... crdrules_check(crd, env, &found); crds_add(crds, crd, &err) ...
 *     json_object_put(crd);
 */
#ifndef CONTROLLER_APISERVER_CRD_COMPOSITE_H
#define CONTROLLER_APISERVER_CRD_COMPOSITE_H

#include <json-c/json.h>

enum composite_part { COMPOSITE_RESOURCE, COMPOSITE_CLAIM, COMPOSITE_PARTS };

/* The definition is a CompositeResourceDefinition (objectkind.h). Returns NULL if it has no claim. Shares
 * what it copies with the definition; the caller puts it. */
struct json_object *composite_make(struct json_object *definition, enum composite_part part);

#endif
