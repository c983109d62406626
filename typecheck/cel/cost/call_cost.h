/*
 * call_cost: the cost of a call and the size of its result, by the forms
 * that functions.def names. cost.c asks it.
 *
 * The forms are cel-go's (checker/cost.go, or common/cost of 0.33 and later; ext/lists.go, ext/sets.go) and
 * Kubernetes' (pkg/cel/library/cost.go).
 */
#ifndef TYPECHECK_CEL_COST_CALL_COST_H
#define TYPECHECK_CEL_COST_CALL_COST_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/cost/measure.h"
#include "typecheck/cel/cost/sizes.h"

struct arena;
struct celgo;
struct node;
struct overload;
struct type;

/* An operand. */
struct call_cost_node {
    struct sizes_path path;
    const struct type *type;
    const struct node *expression;
    bool has_size; /* known without the path; Kubernetes' rows use only this */
    struct measure size;
    struct measure found_size; /* used by the rows of the language itself */
};

struct call_cost {
    struct arena *arena; /* for the parts of sizes */
    const struct overload *overload;
    const struct call_cost_node *target; /* the receiver of the call; NULL in global style */
    const struct call_cost_node *args;
    const struct estimate *arg_costs;
    size_t arg_count;
    const struct sizes *sizes;
    const struct celgo *celgo;
};

struct call_cost_answer {
    struct estimate cost; /* with the costs of the arguments, without that of the target */
    bool has_size;
    struct measure size; /* of the result */
};

struct call_cost_answer call_cost_estimate(const struct call_cost *call);

#endif
