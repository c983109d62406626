#include "typecheck/base/sort.h"

#include <stdlib.h>

#ifdef __APPLE__

struct sorted {
    int (*order)(const void *left, const void *right, void *context);
    void *context;
};

static int swapped(void *user, const void *left, const void *right)
{
    const struct sorted *by = user;
    return by->order(left, right, by->context);
}

void sort_by(void *array, size_t count, size_t element_bytes,
             int (*order)(const void *left, const void *right, void *context), void *context)
{
    struct sorted by = {order, context};
    qsort_r(array, count, element_bytes, &by, swapped);
}

#else

void sort_by(void *array, size_t count, size_t element_bytes,
             int (*order)(const void *left, const void *right, void *context), void *context)
{
    qsort_r(array, count, element_bytes, order, context);
}

#endif
