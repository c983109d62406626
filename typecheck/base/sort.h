/*
 * sort: sorts an array by an order that depends on more than two elements. qsort_r takes its arguments in one
 * order on Linux, and in another one on macOS.
 *
 *     sort_by(kinds, count, sizeof *kinds, kind_order, graph->strings);
 */
#ifndef TYPECHECK_BASE_SORT_H
#define TYPECHECK_BASE_SORT_H

#include <stddef.h>

/* Equal elements are in no certain order. order: <0, 0, >0, for two elements and the context. */
void sort_by(void *array, size_t count, size_t element_bytes,
             int (*order)(const void *left, const void *right, void *context), void *context);

#endif
