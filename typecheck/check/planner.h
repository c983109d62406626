/*
 * planner: finds what fails when a program is made of an expression that checks:
 * constant folding of conversions, and constant regular expressions.
 *
 * cel-go's planner (interpreter/planner.go, decorators.go: OptOptimize,
 * OptimizeRegex) computes these once, wherever in the expression they stand.
 */
#ifndef TYPECHECK_CHECK_PLANNER_H
#define TYPECHECK_CHECK_PLANNER_H

#include <stdbool.h>

#include "typecheck/base/str.h"

struct arena;
struct ast;
struct celgo;

/* True when there is nothing. Otherwise *message (in the arena or static) is the first in the planner's
 * order. */
bool planner_plan(struct arena *a, const struct celgo *celgo, const struct ast *ast, struct str *message);

#endif
