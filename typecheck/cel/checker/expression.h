/*
 * expression: an expression, parsed and checked. expression_compile.h makes a program of it, too.
 *
 *     struct expression x;
 *     struct checked checked;
 *     if (!expression_parse(&x, a, a, env, text) || !expression_check(&x, &scope, &checked))
 *         ... issues_render(&x.issues, &x.source)
 */
#ifndef TYPECHECK_CEL_CHECKER_EXPRESSION_H
#define TYPECHECK_CEL_CHECKER_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/cel/checker/checker.h"
#include "typecheck/cel/syntax/ast.h"
#include "typecheck/cel/syntax/issue.h"
#include "typecheck/cel/syntax/source.h"

struct arena;
struct expression_cache;

struct expression {
    struct source source;
    struct issues issues;
    struct ast ast; /* if it parsed */
};

/* The types and variables that an expression may use. */
struct expression_scope {
    struct types *types;
    const struct env *env;
    const struct variable *variables;
    size_t variable_count;
    struct expression_cache *cache; /* of what was parsed before; NULL: none */
};

/* Parses the expression. Returns true if there are no issues. Issues, and memory that only parsing needs, lie
 * in `scratch`. */
bool expression_parse(struct expression *x, struct arena *a, struct arena *scratch, const struct env *env,
                      struct str text);

/* Checks an expression that parsed. Returns true, and fills *out, if there are no issues. */
bool expression_check(struct expression *x, const struct expression_scope *scope, struct checked *out);

#endif
