/*
 * devices: the answer of an API server to the selectors of a DeviceClass, a
 * ResourceClaim or a ResourceClaimTemplate, in its own words. Pure.
 *
 * (k8s.io/kubernetes/pkg/apis/resource/validation) Nothing else in these
 * objects is checked: no names, counts, constraints or configurations.
 *
 *     if (devices_is_supported(minor))
 *         devices_check(json, new_env, &refusals);
 */
#ifndef CONTROLLER_APISERVER_VALIDATION_DEVICES_H
#define CONTROLLER_APISERVER_VALIDATION_DEVICES_H

#include <json-c/json.h>
#include <stdbool.h>

#include "controller/apiserver/validation/fielderrors.h"
#include "typecheck/version.h"

#define DEVICES_GROUP "resource.k8s.io"

/* Returns true if the object is of one of these kinds, in any version of their group. */
bool devices_is_kind(struct json_object *object);
/* Returns true if the version is supported: 1.34, which has v1, and later. Older ones have other functions
 * and messages. */
bool devices_is_supported(int minor);

/* env: the one for new expressions. out->minor: the version whose messages are used. */
void devices_check(struct json_object *object, const struct env *env, struct fielderrors *out);

/* The path in the object of a field that an error names; errors name fields of v1. The caller frees it. */
char *devices_field(struct json_object *object, const char *field);
/* Returns true if the field is the expression of a selector. */
bool devices_is_selector(const char *field);

#endif
