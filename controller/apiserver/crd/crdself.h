/*
 * crdself: the type of `self` in one rule of a CustomResourceDefinition. Pure.
 *
 *     struct crdself found;
 *     if (crdself_find(definition, minor, "spec.versions[0].schema.openAPIV3Schema.properties[spec]"
 *                                         ".x-kubernetes-validations[0].rule", &found)) {
 *         ... cel_place_declare(CEL_PLACE_RULE, &(struct cel_place_scope){.self = &found.type, ...},
 * variables) ... crdself_deinit(&found);
 *     }
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDSELF_H
#define CONTROLLER_APISERVER_CRD_CRDSELF_H

#include <json-c/json.h>
#include <stdbool.h>

#include "typecheck/schema.h"

struct crdself {
    struct schema *schema; /* the schema that the type describes */
    struct crd_type type;
    bool has_optional_old_self;
    struct json_object *at; /* the schema at the rule's place; the definition's */
};

/* field: the path of a rule or its messageExpression, which begins with its version. Returns false if the
 * field is no expression of a rule that the server compiles. minor: of the server. */
bool crdself_find(struct json_object *definition, int minor, const char *field, struct crdself *out);
void crdself_deinit(struct crdself *self);

#endif
