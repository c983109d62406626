/*
 * qualify: selection and indexing of a value: v.field, v[key].
 *
 * A typed map takes only strings as keys, and a typed list only integers as indices.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_FUNCTIONS_QUALIFY_H
#define TYPECHECK_CEL_INTERPRETER_FUNCTIONS_QUALIFY_H

#include <stdbool.h>

#include "typecheck/cel/interpreter/values/value.h"

/* The value in `v` under the key; an error value; or NULL: there is none, which is an error except for
 * optional selection. An error value that is an item (is_item) counts as a value. */
const struct value *qualify_find(struct arena *a, const struct value *v, const struct value *key);

/* The error that the key is missing. */
const struct value *qualify_missing(struct arena *a, const struct value *v, const struct value *key);

#endif
