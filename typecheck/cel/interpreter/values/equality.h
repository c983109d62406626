/*
 * equality: == and the order of values.
 *
 * If a value is typed (typed_value.h), the left one decides: a list compares only with lists, a map only with
 * maps. Two structs compare as in Go, by type and content; quantities by amount. The same is true of lists
 * and maps of a custom resource (custom_value.h); of its sets and maps of items, the order does not count.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_EQUALITY_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_EQUALITY_H

#include <stdbool.h>

#include "typecheck/cel/interpreter/values/function.h"

enum equality {
    EQUALITY_NO,
    EQUALITY_YES,
    EQUALITY_NO_OVERLOAD, /* values of Kubernetes' types compare only with their own type: an error */
    EQUALITY_UNKNOWN,     /* EQUALITY_LACKS says what the evaluator lacks */
};

#define EQUALITY_LACKS                                                                                       \
    "vapcheck does not compare what depends on the bytes sent, or on the order in which Go looks"

/* Numbers are equal across their types; otherwise values of different types are not equal. */
enum equality equality_of(struct arena *a, const struct value *one, const struct value *two);
/* Equality for functions: by the type of `one`; whether a list has an item that is equal. */
bool equality_equal(const struct invocation *c, const struct value *one, const struct value *two);
bool equality_contains(const struct invocation *c, const struct value *list, const struct value *item);

/* The index of the item of a custom resource's list that stands for this one: in a set an equal one, in a map
 * one with the same keys. The count: there is none. */
size_t equality_find_same(struct arena *a, const struct value_list *list, const struct value *item);

/* Sets *order to <0, 0 or >0; or returns the error that the two have no order. */
const struct value *equality_compare(struct arena *a, const struct value *one, const struct value *two,
                                     int *order);

#endif
