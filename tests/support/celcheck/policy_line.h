/*
 * policy_line: a line of celcheck --evaluate that holds a whole policy and a request.
 *
 * It prints "decisions" and "annotations"; neither if the match conditions let the request pass; "missing"
 * instead of both if this evaluator lacks something.
 */
#ifndef TESTS_SUPPORT_CELCHECK_POLICY_LINE_H
#define TESTS_SUPPORT_CELCHECK_POLICY_LINE_H

#include <stdbool.h>

#include "typecheck/base/str.h"

struct arena;
struct env;

/* Prints what follows the id. `line` is a JSON object; false if there is no policy in it, or one that is no
 * object. */
bool policy_line_evaluate(struct arena *a, const struct env *env, struct str line);

#endif
