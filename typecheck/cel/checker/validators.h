/*
 * validators: the AST validators that cel-go runs after type checking.
 *
 * Homogeneous aggregate literals, duration(), timestamp(), matches() and
 * string.format() with literal arguments, in this order; the last one where
 * the release of cel-go validates formats.
 */
#ifndef TYPECHECK_CEL_CHECKER_VALIDATORS_H
#define TYPECHECK_CEL_CHECKER_VALIDATORS_H

#include "typecheck/cel/checker/checked.h"
#include "typecheck/cel/syntax/ast.h"

struct celgo;
struct issues;

/* Adds an issue for each literal that can only fail. `checked` is a successful check of `ast`. */
void validators_run(struct types *ts, const struct ast *ast, const struct checked *checked,
                    const struct celgo *celgo, struct issues *issues);

#endif
