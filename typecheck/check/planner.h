/*
 * planner: finds what fails when a program is made of an expression that checks:
 * constant folding of conversions, constant regular expressions, and types
 * that no name denotes.
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
struct checked;
struct provider;

/* What the checker found out about names, and what types they can denote. */
struct planner_names {
    const struct checked *checked;
    const struct provider *provider;
};

/* True when there is nothing. Otherwise *message (in the arena or static) is the first in the planner's
 * order. names: NULL for a tree that was not checked. */
bool planner_plan(struct arena *a, const struct celgo *celgo, const struct ast *ast,
                  const struct planner_names *names, struct str *message);

#endif
