/*
 * typed_value: values of Go, as Kubernetes shows them to expressions from 1.37 on.
 *
 * k8s.io/apiserver/pkg/cel/common/valuesschemalesstyped.go. They look like the JSON that Go writes of them,
 * but compare in other ways (equality.h) and take keys and indices of one type alone.
 */
#ifndef TYPECHECK_VALUES_TYPED_VALUE_H
#define TYPECHECK_VALUES_TYPED_VALUE_H

#include "typecheck/schema/go_type.h"
#include "typecheck/values/value.h"

/*
 * `json` is what Go writes of the value: without the fields that it leaves out, quantities in canonical form.
 * Fields that the type does not have are dropped, as the API server does. NULL: `json` is no value of that
 * type.
 */
const struct value *typed_value_of(struct arena *a, const struct value *json, const struct go_type *type);

#endif
