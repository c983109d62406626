/*
 * admission_types: the object types of `request` and `namespaceObject`.
 *
 * Declared by hand upstream (k8s.io/apiserver/pkg/admission/plugin/cel,
 * BuildRequestType and BuildNamespaceType); here they are one table.
 */
#ifndef TYPECHECK_TYPES_ADMISSION_TYPES_H
#define TYPECHECK_TYPES_ADMISSION_TYPES_H

struct type;
struct types;

const struct type *admission_types_request_type(struct types *ts);
const struct type *admission_types_namespace_type(struct types *ts);

#endif
