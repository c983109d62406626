/*
 * equality: == and the order of values.
 *
 * Of what is typed (typed_value.h) the left one decides: it compares with lists, or with maps, alone; two
 * structs compare as Go compares them, by type and content, quantities by amount.
 */
#ifndef TYPECHECK_VALUES_EQUALITY_H
#define TYPECHECK_VALUES_EQUALITY_H

#include <stdbool.h>

#include "typecheck/values/function.h"

enum equality {
    EQUALITY_NO,
    EQUALITY_YES,
    EQUALITY_NO_OVERLOAD, /* Kubernetes' values compare with nothing else: an error */
    EQUALITY_UNKNOWN,     /* EQUALITY_LACKS says what is missing here */
};

#define EQUALITY_LACKS                                                                                       \
    "vapcheck does not compare what depends on the bytes sent, or on the order in which Go looks"

/* Numbers are equal across their types; otherwise values of different types are not equal. */
enum equality equality_of(struct arena *a, const struct value *one, const struct value *two);
/* For functions: one's own opinion of two; whether a list has an item that equals it. */
bool equality_equal(const struct invocation *c, const struct value *one, const struct value *two);
bool equality_contains(const struct invocation *c, const struct value *list, const struct value *item);

/* <0, 0, >0 in *order; else the error that the two have no order. */
const struct value *equality_compare(struct arena *a, const struct value *one, const struct value *two,
                                     int *order);

#endif
