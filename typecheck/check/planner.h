/*
 * planner: finds errors that appear only when a program is made from a checked
 * expression: in constant conversions, in constant regular expressions, and names
 * of types that do not exist.
 *
 * cel-go's planner (interpreter/planner.go, decorators.go: OptOptimize,
 * OptimizeRegex) computes these once, at every place of the expression.
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

/* The checker's results about names, and the types that they can denote. */
struct planner_names {
    const struct checked *checked;
    const struct provider *provider;
};

/* True: there is no error. Otherwise *message (in the arena or static) is the first one in the planner's
 * order. names: NULL for a tree that was not checked. */
bool planner_plan(struct arena *a, const struct celgo *celgo, const struct ast *ast,
                  const struct planner_names *names, struct str *message);

#endif
