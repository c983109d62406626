/*
 * server_warnings: what an API server warns about when it takes an object, in its own words. Pure.
 *
 * kubectl prints them as "Warning: ..."; the object is created all the same. Each text comes once, as it does
 * in the server's answer.
 * (WarningsOnCreate in k8s.io/kubernetes/pkg/registry/admissionregistration and
 * k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition)
 *
 *     struct fielderrors warnings = {.minor = 37};
 *     server_warnings_find(object, &warnings);
 */
#ifndef CONTROLLER_ADMISSION_SERVER_WARNINGS_H
#define CONTROLLER_ADMISSION_SERVER_WARNINGS_H

#include <json-c/json.h>

#include "controller/field/fielderrors.h"

/* Of one of admission's kinds or of a CustomResourceDefinition. The field is where the text has its reason.
 */
void server_warnings_find(struct json_object *object, struct fielderrors *out);

#endif
