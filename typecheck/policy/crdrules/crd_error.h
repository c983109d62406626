/*
 * crd_error: the API server's messages about a custom resource, in the words of
 * k8s.io/apimachinery/pkg/util/validation/field.
 */
#ifndef TYPECHECK_POLICY_CRDRULES_CRD_ERROR_H
#define TYPECHECK_POLICY_CRDRULES_CRD_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/cel/interpreter/values/value.h"

/* A place in the resource: a field, the entry of a map, or an item. */
struct crd_error_way {
    const struct crd_error_way *outer; /* the way to the value around it; NULL for the resource */
    struct str name;                   /* of a field, or the key of an entry */
    enum { CRD_ERROR_FIELD, CRD_ERROR_ENTRY, CRD_ERROR_ITEM } kind;
    size_t index;
};

/* "spec.names[a][0]"; "<nil>" for the resource itself. below: a path behind it, or empty. */
struct str crd_error_path(struct arena *a, const struct crd_error_way *way, struct str below);

/* A rule's fieldPath (".spec.names['a.b']") as errors name it; empty: it leads to no field of the schema. */
struct str crd_error_field(struct arena *a, const struct value *schema, struct str field_path);

/* The body of an error. reason: of the rule; empty: FieldValueInvalid. value: NULL: none is shown. */
struct str crd_error_body(struct arena *a, struct str reason, const struct value *value, struct str detail);

/* All texts, as Go's aggregate of errors is written: each once, in brackets if there are several. */
struct str crd_error_list(struct arena *a, const struct str *texts, size_t count);

#endif
