/*
 * price: what the call of a function costs at run time.
 *
 * cel-go's interpreter/runtimecost.go, and Kubernetes' pkg/cel/library/cost.go
 * for its own functions. The estimates of typecheck/cost are another thing:
 * they are made before, of sizes that are not known.
 */
#ifndef TYPECHECK_RUN_PRICE_H
#define TYPECHECK_RUN_PRICE_H

#include "typecheck/run/value.h"

/* Of a call with these arguments (errors among them) and this result. */
typedef uint64_t price_function(struct arena *a, const struct value *const *args, const struct value *result);

/*
 * One; the size of the second argument; a look at each character of the first, of the second, of the shorter
 * or of both arguments; each character of the second looked for in the first; a pattern matched.
 */
price_function price_one, price_items, price_first, price_second, price_shorter, price_both, price_search,
    price_match;

#endif
