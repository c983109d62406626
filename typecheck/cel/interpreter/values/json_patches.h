/*
 * json_patches: applies JSON patches, the value of a mutation, to an object.
 *
 * k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch/json_patch.go, and the library that it calls.
 *
 *     struct patched p = json_patches_apply(a, patches, object, holds_objects);
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_JSON_PATCHES_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_JSON_PATCHES_H

#include <stdbool.h>

#include "typecheck/base/error_names.h"
#include "typecheck/cel/interpreter/values/value.h"

/* The result of a mutation. */
struct patched {
    const struct value *object;      /* the patched object; NULL if `error` or `missing` is set */
    struct str error;                /* the API server's message */
    struct str missing;              /* the thing that this evaluator lacks */
    const struct error_names *names; /* of the error: the path of an operation, each field on the way to what
                                        is wrong, a type */
};

/* patches: a list of JSON patches. holds_objects: lists and maps in them may hold objects (older API servers
 * panic). */
struct patched json_patches_apply(struct arena *a, const struct value *patches, const struct value *object,
                                  bool holds_objects);

#endif
