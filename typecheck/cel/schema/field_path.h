/*
 * field_path: reads the fieldPath of a CustomResourceDefinition's rule (".spec.names['a.b']"), step by step.
 *
 * k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go, ValidFieldPath. Pure.
 *
 *     enum field_path_step step;
 *     while ((step = field_path_next(&path, room, &name)) == FIELD_PATH_NAME) ...
 */
#ifndef TYPECHECK_CEL_SCHEMA_FIELD_PATH_H
#define TYPECHECK_CEL_SCHEMA_FIELD_PATH_H

#include "typecheck/base/str.h"

enum field_path_step {
    FIELD_PATH_NAME,
    FIELD_PATH_END,
    FIELD_PATH_MALFORMED,
};

/* Reads the next step and removes it from the path. room: at least path->len bytes, in which the name lies
 * until the next call. */
enum field_path_step field_path_next(struct str *path, char *room, struct str *name);

#endif
