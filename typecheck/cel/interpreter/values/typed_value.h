/*
 * typed_value: Go values, as expressions see them since Kubernetes 1.37.
 *
 * k8s.io/apiserver/pkg/cel/common/valuesschemalesstyped.go. They look like the JSON that Go writes for
 * them, but compare in other ways (equality.h), and take keys and indices of only one type.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_TYPED_VALUE_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_TYPED_VALUE_H

#include "typecheck/base/error_names.h"
#include "typecheck/cel/interpreter/values/value.h"
#include "typecheck/cel/schema/go_type.h"

/*
 * `json` must be as Go writes the value: without omitted fields, with quantities in canonical form. Fields
 * that the type does not have are dropped, as the API server does. Returns NULL if `json` is not a value of
 * that type.
 */
const struct value *typed_value_of(struct arena *a, const struct value *json, const struct go_type *type);

/*
 * The message of Go's decoder if a map of strings holds something else, such as a label that is a number.
 * *count: the number of such places. The decoder names the one that stands first in the text, but the order
 * of the text is not known here. *names: those of that error.
 */
struct str typed_value_refusal(struct arena *a, const struct value *json, const struct go_type *type,
                               size_t *count, const struct error_names **names);

#endif
