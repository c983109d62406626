/*
 * qualify: selection and indexing of a value: v.field, v[key].
 *
 * What is typed is asked for keys that are strings, and for indices that are integers, alone.
 */
#ifndef TYPECHECK_FUNCTIONS_QUALIFY_H
#define TYPECHECK_FUNCTIONS_QUALIFY_H

#include <stdbool.h>

#include "typecheck/values/value.h"

/* What is in `v` under the key; an error value; or NULL: nothing is there, which is an error unless asked
 * for. An error value that is an item (is_item) counts as what is there. */
const struct value *qualify_find(struct arena *a, const struct value *v, const struct value *key);

/* The error that a typed map has no keys of that type. */
const struct value *qualify_typed_key(struct arena *a, const struct value *key);

/* The error that nothing is there. */
const struct value *qualify_missing(struct arena *a, const struct value *v, const struct value *key);

#endif
