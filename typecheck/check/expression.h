/*
 * expression: compiles an expression as the API server does: parse, check, result type, program.
 *
 *     struct expression x;
 *     struct checked checked;
 *     struct str why;
 *     if (expression_compile(&x, a, &scope, text, wanted, &checked, &why) != EXPRESSION_COMPILES)
 *         ... why
 */
#ifndef TYPECHECK_CHECK_EXPRESSION_H
#define TYPECHECK_CHECK_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/check/checker.h"
#include "typecheck/syntax/ast.h"
#include "typecheck/syntax/issue.h"
#include "typecheck/syntax/source.h"

struct arena;

struct expression {
    struct source source;
    struct issues issues;
    struct ast ast; /* if it parsed */
};

/* What an expression may use. */
struct expression_scope {
    struct types *types;
    const struct env *env;
    const struct variable *variables;
    size_t variable_count;
};

/* Parses. True: there are no issues. Issues, and memory that only parsing needs, lie in `scratch`. */
bool expression_parse(struct expression *x, struct arena *a, struct arena *scratch, const struct env *env,
                      struct str text);

/* Checks an expression that parsed. True: there are no issues, and *out is filled. */
bool expression_check(struct expression *x, const struct expression_scope *scope, struct checked *out);

enum expression_failure {
    EXPRESSION_COMPILES,
    EXPRESSION_HAS_ISSUES,     /* *detail: rendered */
    EXPRESSION_HAS_WRONG_TYPE, /* *detail: its type, in the long form */
    EXPRESSION_HAS_NO_PROGRAM, /* *detail: the planner's message */
};

/*
 * Parses and checks; then, if the result is of one of the types in `wanted` (a list that NULL ends; an empty
 * one takes all types), makes a program. *out is filled if there are no issues.
 */
enum expression_failure expression_compile(struct expression *x, struct arena *a,
                                           const struct expression_scope *scope, struct str text,
                                           const struct type *const *wanted, struct checked *out,
                                           struct str *detail);

#endif
