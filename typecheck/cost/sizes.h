/*
 * sizes: how large the values in an expression can be, for the estimate of its cost.
 *
 * Upstream's SizeEstimator: who declares the variables knows.
 */
#ifndef TYPECHECK_COST_SIZES_H
#define TYPECHECK_COST_SIZES_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"
#include "typecheck/cost/estimate.h"

struct crd_type;

/*
 * The way from a variable to a value: its name, then field names, "@items",
 * "@keys", "@values". A Go slice: ways can share their elements, and what
 * appends to one can overwrite another's end.
 */
struct sizes_path {
    struct str *at;
    size_t len, cap;
};

/* The size of what a path leads to; false: it is not known. The path is not empty. */
typedef bool sizes_find(const void *of, struct sizes_path path, struct estimate *out);

struct sizes {
    sizes_find *find;
    const void *of; /* for find */
};

/* Those of a rule's `self`: what the schema says. */
struct sizes sizes_of_crd(const struct crd_type *self);
/* Those of a selector's `device`. */
struct sizes sizes_of_device(void);

/* False: it is not known. */
bool sizes_of_path(const struct sizes *sizes, struct sizes_path path, struct estimate *out);

#endif
