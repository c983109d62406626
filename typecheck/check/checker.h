/*
 * checker: type inference: a type for each node of an expression, as cel-go's checker has it.
 *
 * The tree stays as it is; what is found out lies in arrays indexed by node
 * id, for the validators and for whoever evaluates the expression abstractly.
 */
#ifndef TYPECHECK_CHECK_CHECKER_H
#define TYPECHECK_CHECK_CHECKER_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/syntax/ast.h"
#include "typecheck/types/env.h"
#include "typecheck/types/type.h"

struct issues;
struct overload;

struct checked {
    const struct type *result;
    const struct type **types;         /* by node id, type parameters substituted; NULL where none was set */
    const struct overload **overloads; /* by node id: the first that matched; NULL for what is no call */
    uint64_t *matches;                 /* by node id: bit i is set if its function's overload i matched */
    struct str *names; /* by node id: the qualified name a selection or identifier resolved to; empty else */
};

/* The node's type; dyn where none was set. */
static inline const struct type *checker_type_of(const struct checked *checked, const struct node *n)
{
    const struct type *t = checked->types[n->id];
    return t == NULL ? &type_dyn : t;
}

/*
 * Checks `ast` (of this env) with `variables` declared. `ts` is a table over
 * env_types(env); issues and results lie in its arena. True when no issue was
 * added, the AST validators (validators.h) included: as upstream, they run
 * only if the check found nothing.
 */
bool checker_run(struct types *ts, const struct env *env, const struct ast *ast,
                 const struct variable *variables, size_t variable_count, struct issues *issues,
                 struct checked *out);

#endif
