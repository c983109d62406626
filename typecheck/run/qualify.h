/*
 * qualify: selection and indexing of a value.
 */
#ifndef TYPECHECK_RUN_QUALIFY_H
#define TYPECHECK_RUN_QUALIFY_H

#include <stdbool.h>

#include "typecheck/run/value.h"

/* What is in `v` under the key; an error value; or NULL: nothing is there, which is an error unless asked
 * for. */
const struct value *qualify_find(struct arena *a, const struct value *v, const struct value *key);

/* The error that nothing is there. */
const struct value *qualify_missing(struct arena *a, const struct value *v, const struct value *key);

#endif
