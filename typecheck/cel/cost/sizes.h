/*
 * sizes: the sizes that the values in an expression can have, for the estimate of its cost.
 *
 * It corresponds to upstream's SizeEstimator. The part that declares the variables provides it.
 */
#ifndef TYPECHECK_CEL_COST_SIZES_H
#define TYPECHECK_CEL_COST_SIZES_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/cost/estimate.h"

struct crd_type;

/*
 * The path from a variable to a value: its name, then field names, "@items",
 * "@keys", "@values". It is a Go slice: paths can share their elements, and an
 * append to one can overwrite the end of another.
 */
struct sizes_path {
    struct str *at;
    size_t len, cap;
};

/* Sets *out to the size of the value at a path, which is not empty; returns false if the size is not
 * known. */
typedef bool sizes_find(const void *of, struct sizes_path path, struct estimate *out);

struct sizes {
    sizes_find *find;
    const void *of; /* for find */
};

/* The sizes of a rule's `self`, by its schema. */
struct sizes sizes_of_crd(const struct crd_type *self);
/* The sizes of a selector's `device`. */
struct sizes sizes_of_device(void);

/* Returns false if the size is not known. */
bool sizes_of_path(const struct sizes *sizes, struct sizes_path path, struct estimate *out);

#endif
