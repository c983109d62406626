/*
 * definitions: the CustomResourceDefinitions that an object stands for: the object
 * itself, or those that Crossplane makes from a CompositeResourceDefinition.
 *
 *     struct definitions found;
 *     definitions_of(object->kind, json, &found);
 *     for (size_t i = 0; i < found.count; i++) ... found.items[i] ...
 *     definitions_deinit(&found);
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_DEFINITIONS_H
#define CMD_KUBECTL_VAPCHECK_INPUT_DEFINITIONS_H

#include <json-c/json.h>
#include <stddef.h>

#include "cmd/kubectl-vapcheck/input/manifest.h"
#include "controller/apiserver/crd/composite.h"

struct definitions {
    struct json_object *items[COMPOSITE_PARTS];
    size_t count; /* 0: it is another kind of object */
};

void definitions_of(enum objectkind kind, struct json_object *object, struct definitions *out);
void definitions_deinit(struct definitions *found);

#endif
