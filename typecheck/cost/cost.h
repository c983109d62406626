/*
 * cost: the most that evaluating an expression can cost, before any object is
 * there: what the API server estimates of a CustomResourceDefinition's rules.
 *
 * cel-go's static estimate (checker/cost.go) with Kubernetes' costs of its
 * functions, has() being free; sizes of strings, lists and maps come from the
 * schema. Units are cel-go's. Exact: every quirk of the server's number.
 *
 *     if (checker_run(...)) budget -= cost_estimate(a, &ast, &checked, celgo, self).max;
 */
#ifndef TYPECHECK_COST_COST_H
#define TYPECHECK_COST_COST_H

#include "typecheck/check/checker.h"
#include "typecheck/cost/estimate.h"

struct arena;
struct celgo;
struct crd_type;

/* The expression must have passed the check; its variables are of the type that `root` describes. */
struct estimate cost_estimate(struct arena *a, const struct ast *ast, const struct checked *checked,
                              const struct celgo *celgo, const struct crd_type *root);

#endif
