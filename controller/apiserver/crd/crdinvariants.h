/*
 * crdinvariants: why a CustomResourceDefinition's schema is not structural,
 * in the API server's words. Pure.
 *
 * k8s.io/apiextensions-apiserver/pkg/apiserver/schema: validation.go and
 * complete.go. The server compiles no rule of such a schema.
 *
 *     crdinvariants_check(schema, "spec.validation.openAPIV3Schema", &work, &errors);
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDINVARIANTS_H
#define CONTROLLER_APISERVER_CRD_CRDINVARIANTS_H

#include <json-c/json.h>

#include "controller/apiserver/crd/crdwork.h"
#include "controller/apiserver/validation/fielderrors.h"

/* Adds the errors in the server's order. Ends early if the work is exhausted. */
void crdinvariants_check(struct json_object *schema, const char *field, struct crdwork *work,
                         struct fielderrors *out);

#endif
