#include "typecheck/base/sort.h"

#include <stdlib.h>

struct sorted {
    int (*order)(const void *left, const void *right, void *context);
    void *context;
};

/* The order of the sort that runs, as qsort has no argument for it; an order may itself sort. */
static _Thread_local struct sorted current;

static int in_current_order(const void *left, const void *right)
{
    return current.order(left, right, current.context);
}

void sort_by(void *array, size_t count, size_t element_bytes,
             int (*order)(const void *left, const void *right, void *context), void *context)
{
    const struct sorted outer = current;
    current = (struct sorted){order, context};
    qsort(array, count, element_bytes, in_current_order);
    current = outer;
}
