/*
 * estimate: a range of costs or of sizes, whose sums and products stop at the
 * largest number instead of wrapping round.
 *
 * It stands for both checker.CostEstimate and checker.SizeEstimate of cel-go
 * (checker/cost.go).
 */
#ifndef TYPECHECK_CEL_COST_ESTIMATE_H
#define TYPECHECK_CEL_COST_ESTIMATE_H

#include <stdint.h>

struct estimate {
    uint64_t min, max;
};

#define ESTIMATE_UNKNOWN ((struct estimate){0, UINT64_MAX})

struct estimate estimate_fixed(uint64_t value);
struct estimate estimate_add(struct estimate a, struct estimate b);
struct estimate estimate_multiply(struct estimate a, struct estimate b);
/* a times the factor, rounded up. */
struct estimate estimate_scale(struct estimate a, double factor);
/* a divided by a number above 0, rounded up. UINT64_MAX means "unknown", and stays so. */
struct estimate estimate_divide(struct estimate a, uint64_t by);
/* The range that holds both. */
struct estimate estimate_union(struct estimate a, struct estimate b);

/* a times b; UINT64_MAX if that is too large. */
uint64_t estimate_product(uint64_t a, uint64_t b);

#endif
