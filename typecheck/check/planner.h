/*
 * planner: what the API server finds out when it makes a program of an
 * expression that checks: conversions of constants that fail, constant
 * regular expressions that are none.
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
