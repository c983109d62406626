/*
 * written_fields: fields of Kubernetes' types without a value, as Go writes them: left out, null or zero.
 *
 * The schema says neither: a number that is 0 is written if the type has a pointer to it, and left out if
 * not.
 *
 *     const struct written_fields *fields = written_fields_find(go_type_name(&type));
 *     if (written_fields_has(fields->omitted, key)) ...
 */
#ifndef TYPECHECK_CEL_SCHEMA_WRITTEN_FIELDS_H
#define TYPECHECK_CEL_SCHEMA_WRITTEN_FIELDS_H

#include <stdbool.h>

#include "typecheck/base/str.h"

/* Lists of names with spaces between them. */
struct written_fields {
    const char *type;    /* "core.PodSpec", "resource.v1beta1.ResourceSliceSpec" */
    const char *omitted; /* numbers, strings and booleans that are left out if they are zero */
    const char *null;    /* written as null if they are not set */
    const char *zero;    /* quantities that are written as "0" if they are not set */
};

/* Returns the row of a type, which is static, or NULL if it has no such fields. component: the type's name in
 * OpenAPI documents, "io.k8s.api.core.v1.PodSpec". */
const struct written_fields *written_fields_find(struct str component);

bool written_fields_has(const char *list, struct str name);

#endif
