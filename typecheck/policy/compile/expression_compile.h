/*
 * expression_compile: compiles an expression as the API server does: parse, check, result type, program.
 *
 *     struct expression x;
 *     struct checked checked;
 *     struct str why;
 *     if (expression_compile(&x, a, &scope, text, wanted, &checked, NULL, &why) != EXPRESSION_COMPILES)
 *         ... why
 */
#ifndef TYPECHECK_POLICY_COMPILE_EXPRESSION_COMPILE_H
#define TYPECHECK_POLICY_COMPILE_EXPRESSION_COMPILE_H

#include "typecheck/cel/checker/expression.h"

struct plan;

enum expression_failure {
    EXPRESSION_COMPILES,
    EXPRESSION_HAS_ISSUES,     /* *detail: the issues, as cel-go prints them */
    EXPRESSION_HAS_WRONG_TYPE, /* *detail: its type (type_print_long) */
    EXPRESSION_HAS_NO_PROGRAM, /* *detail: cel-go's message */
    EXPRESSION_LACKS_PLAN, /* it compiles, but vapcheck cannot evaluate it; *detail: what vapcheck lacks */
};

/*
 * Parses and checks; then, if the result is of one of the types in `wanted` (a list that NULL ends; an empty
 * one takes all types), makes a program. *out is filled if there are no issues. *plan is filled if the
 * expression compiles. plan NULL: the caller needs no plan, and EXPRESSION_LACKS_PLAN is not returned.
 * The expression lies in the arena or in scope->cache, and refers to the
 * text, which must live as long. *detail lies in the arena.
 */
enum expression_failure expression_compile(struct expression *x, struct arena *a,
                                           const struct expression_scope *scope, struct str text,
                                           const struct type *const *wanted, struct checked *out,
                                           struct plan *plan, struct str *detail);

#endif
