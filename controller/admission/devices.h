/*
 * devices: what an API server answers to the selectors of a DeviceClass, a
 * ResourceClaim or a ResourceClaimTemplate, in its own words. Pure.
 *
 * (k8s.io/kubernetes/pkg/apis/resource/validation) Nothing else of these
 * objects is looked at: no names, counts, constraints or configurations.
 *
 *     if (devices_is_supported(minor))
 *         devices_check(json, new_env, &refusals);
 */
#ifndef CONTROLLER_ADMISSION_DEVICES_H
#define CONTROLLER_ADMISSION_DEVICES_H

#include <json-c/json.h>
#include <stdbool.h>

#include "controller/field/fielderrors.h"
#include "typecheck/types/env.h"

#define DEVICES_GROUP "resource.k8s.io"

/* Whether it is one of these kinds, in whatever version of their group. */
bool devices_is_kind(struct json_object *object);
/* Before 1.34, which has v1, other functions and words were in force. */
bool devices_is_supported(int minor);

/* env: that of new expressions. out->minor says whose words. */
void devices_check(struct json_object *object, const struct env *env, struct fielderrors *out);

/* Where a field that an error names is in the object: the server speaks of v1. The caller frees it. */
char *devices_field(struct json_object *object, const char *field);
/* Whether a selector's expression stands in a field. */
bool devices_is_selector(const char *field);

#endif
