/*
 * measure: the size that a value can have, and the sizes of its parts: the keys and values of a map, the
 * elements of a list, as far as they are known. It is cel-go's SizeEstimate (common/cost/cost.go); releases
 * before 0.33 know the range alone.
 *
 * Results are in the arena, or share the parts of the operands.
 */
#ifndef TYPECHECK_CEL_COST_MEASURE_H
#define TYPECHECK_CEL_COST_MEASURE_H

#include <stdbool.h>

#include "typecheck/cel/cost/estimate.h"

struct arena;

struct measure {
    struct estimate range;
    const struct measure *key, *element; /* the measures of what it holds; NULL if nothing is known. A list
                                            has no key; `element` is also a map's value */
};

/* A size without parts. */
struct measure measure_plain(struct estimate range);
bool measure_is_unknown(const struct measure *m);

/* The parts of the results hold the parts of both operands. */
struct measure measure_add(struct arena *a, struct measure x, struct measure y);
struct measure measure_multiply(struct arena *a, struct measure x, struct measure y);
struct measure measure_union(struct arena *a, struct measure x, struct measure y);

/* The union of what is known. If one of the two is NULL, it is the other one. */
const struct measure *measure_merge(struct arena *a, const struct measure *x, const struct measure *y);

#endif
