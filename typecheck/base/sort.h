/*
 * sort: sorts an array by an order that needs a context besides the two elements. (qsort_r has its arguments
 * in another order on macOS than on Linux, and WASI has none.)
 *
 *     sort_by(kinds, count, sizeof *kinds, kind_order, graph->strings);
 */
#ifndef TYPECHECK_BASE_SORT_H
#define TYPECHECK_BASE_SORT_H

#include <stddef.h>

/* The order of equal elements is not defined. order: <0, 0, >0, for two elements and the context; it returns,
 * and may sort something else meanwhile. */
void sort_by(void *array, size_t count, size_t element_bytes,
             int (*order)(const void *left, const void *right, void *context), void *context);

#endif
