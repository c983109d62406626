/*
 * admission_types: the object types of `request` and `namespaceObject`, and of
 * the variables of authentication, authorization and selectors of devices.
 *
 * Upstream declares them by hand (k8s.io/apiserver/pkg/admission/plugin/cel,
 * BuildRequestType and BuildNamespaceType; pkg/authentication/cel and
 * pkg/authorization/cel, compile.go; k8s.io/dynamic-resource-allocation/cel);
 * here each is a table.
 */
#ifndef TYPECHECK_CEL_TYPES_ADMISSION_TYPES_H
#define TYPECHECK_CEL_TYPES_ADMISSION_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"

struct type;
struct types;

const struct type *admission_types_request_type(struct types *ts);
const struct type *admission_types_namespace_type(struct types *ts);
/* `user` of a userValidationRule. */
const struct type *admission_types_user_type(struct types *ts);
/* `request` of an authorizer's matchCondition. */
const struct type *admission_types_access_review_type(struct types *ts, bool has_selectors);
/* `device` of a selector. */
const struct type *admission_types_device_type(struct types *ts, bool has_multiple_allocations);

/* The name of a field of these types; false past the last, and for other types. */
bool admission_types_name(const struct type *object, size_t index, struct str *out);

#endif
