/*
 * server_warnings: the warnings of an API server that takes an object, in its own words. Pure.
 *
 * kubectl prints them as "Warning: ..."; the object is created all the same. Each text comes once, as
 * in the server's answer.
 * (WarningsOnCreate in k8s.io/kubernetes/pkg/registry/admissionregistration and
 * k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition)
 *
 *     struct fielderrors warnings = {.minor = 37};
 *     server_warnings_find(object, &warnings);
 *     fielderrors_deinit(&warnings);
 */
#ifndef CONTROLLER_APISERVER_VALIDATION_SERVER_WARNINGS_H
#define CONTROLLER_APISERVER_VALIDATION_SERVER_WARNINGS_H

#include <json-c/json.h>

#include "controller/apiserver/validation/fielderrors.h"

/* Adds the warnings for a policy, a binding, a webhook configuration or a CustomResourceDefinition. The field
 * of a warning is the field that causes it. */
void server_warnings_find(struct json_object *object, struct fielderrors *out);

#endif
