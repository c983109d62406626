/*
 * cost: estimates how much the evaluation of an expression can cost at most, without
 * an object. The API server estimates the rules of CustomResourceDefinitions and
 * the selectors of devices in this way.
 *
 * It is cel-go's static estimate (checker/cost.go) with Kubernetes' costs of its
 * functions; has() is free. Sizes of strings, lists and maps come from sizes.h.
 * Units are cel-go's. The result equals the server's number exactly.
 *
 *     if (checker_run(...))
 *         budget -= cost_estimate(a, &ast, &checked, celgo, sizes_of_crd(self)).max;
 */
#ifndef TYPECHECK_CEL_COST_COST_H
#define TYPECHECK_CEL_COST_COST_H

#include "typecheck/cel/checker/checked.h"
#include "typecheck/cel/cost/estimate.h"
#include "typecheck/cel/cost/sizes.h"

struct arena;
struct celgo;

/* The expression must have passed the check; the sizes are those of its variables. */
struct estimate cost_estimate(struct arena *a, const struct ast *ast, const struct checked *checked,
                              const struct celgo *celgo, struct sizes sizes);

#endif
