/*
 * equality: == and the order of values.
 */
#ifndef TYPECHECK_RUN_EQUALITY_H
#define TYPECHECK_RUN_EQUALITY_H

#include <stdbool.h>

#include "typecheck/run/value.h"

enum equality {
    EQUALITY_NO,
    EQUALITY_YES,
    EQUALITY_NO_OVERLOAD, /* Kubernetes' values compare with nothing else: an error */
};

/* Numbers are equal across their types; otherwise values of different types are not equal. */
enum equality equality_of(struct arena *a, const struct value *one, const struct value *two);
static inline bool equality_equal(struct arena *a, const struct value *one, const struct value *two)
{
    return equality_of(a, one, two) == EQUALITY_YES;
}

/* Whether a list has an item that equals it. */
bool equality_contains(struct arena *a, const struct value_list *list, const struct value *item);

/* <0, 0, >0 in *order; else the error that the two have no order. */
const struct value *equality_compare(struct arena *a, const struct value *one, const struct value *two,
                                     int *order);

#endif
