/*
 * cost: the most that evaluating an expression can cost, before any object is
 * there: what the API server estimates of a CustomResourceDefinition's rules and
 * of selectors of devices.
 *
 * cel-go's static estimate (checker/cost.go) with Kubernetes' costs of its
 * functions, has() being free; sizes of strings, lists and maps come from
 * sizes.h. Units are cel-go's. Exact: every quirk of the server's number.
 *
 *     if (checker_run(...)) budget -= cost_estimate(a, &ast, &checked, celgo,
 *                                                           sizes_of_crd(self)).max;
 */
#ifndef TYPECHECK_COST_COST_H
#define TYPECHECK_COST_COST_H

#include "typecheck/check/checked.h"
#include "typecheck/cost/estimate.h"
#include "typecheck/cost/sizes.h"

struct arena;
struct celgo;

/* The expression must have passed the check; the sizes are those of its variables. */
struct estimate cost_estimate(struct arena *a, const struct ast *ast, const struct checked *checked,
                              const struct celgo *celgo, struct sizes sizes);

#endif
