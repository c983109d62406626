/*
 * lists: functions of lists: Kubernetes' library, and the libraries lists and sets of cel-go.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_FUNCTIONS_LISTS_H
#define TYPECHECK_CEL_INTERPRETER_FUNCTIONS_LISTS_H

#include "typecheck/cel/interpreter/values/function.h"

function_call lists_includes, lists_index_of, lists_is_sorted, lists_last_index_of, lists_max, lists_min;

/* The sum of an empty list is the zero of the list's type. */
function_call lists_sum_double, lists_sum_duration, lists_sum_int, lists_sum_uint;

function_call lists_distinct, lists_flatten, lists_range, lists_reverse, lists_reverse_wrapped, lists_slice,
    lists_slice_wrapped, lists_sort, lists_sort_by_keys;

/* Its errors name the type of an optional value without the type in it. */
function_call lists_flatten_untyped;

/* lists.range without a limit of its size; the list of a negative size is empty. */
function_call lists_range_unbounded;

function_call lists_contains_all, lists_equivalent, lists_intersects;

#endif
