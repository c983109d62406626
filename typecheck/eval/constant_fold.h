/*
 * constant_fold: calls whose arguments are known before evaluation.
 *
 * `object.kind.endsWith('Set')` is known for each type. Only what policies
 * ask of names is computed here; the rest stays unknown. The bytes that are
 * read are paid in the arena.
 */
#ifndef TYPECHECK_EVAL_CONSTANT_FOLD_H
#define TYPECHECK_EVAL_CONSTANT_FOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"
#include "typecheck/syntax/ast.h"

struct arena;

enum { CONSTANT_FOLD_MAX_ARGS = 3 };

/* ==: numbers compare across int, uint and double; other kinds are different. */
bool constant_fold_equal(struct arena *a, const struct literal *one, const struct literal *two);

/* `function` by its name if `op` is AST_FUNCTION. The receiver first. False: not computed. What the result
 * holds lies in the arena. */
bool constant_fold_call(struct arena *a, enum ast_operator op, struct str function,
                        const struct literal *args, size_t count, struct literal *result);

/* What such a call fails with; empty: nothing that we know. In the arena. */
struct str constant_fold_error(struct arena *a, enum ast_operator op, struct str function,
                               const struct literal *args, size_t count);

/*
 * The next of the parts that `separator` (not empty) splits a string into;
 * `rest` begins as the string. False after the last.
 */
bool constant_fold_split(struct arena *a, struct str *rest, struct str separator, struct str *part);

#endif
