#include "typecheck/base/sort.h"

#include <stdlib.h>

struct sorted {
    int (*order)(const void *left, const void *right, void *context);
    void *context;
};

/* What qsort has no argument for: of the sort that runs, and of a sort that an order needs while it runs. */
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
