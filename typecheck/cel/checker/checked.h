/*
 * checked: the result of the type checker for an expression: the type of each node, the overloads of each
 * call, the meaning of each name. The arrays are indexed by node id.
 */
#ifndef TYPECHECK_CEL_CHECKER_CHECKED_H
#define TYPECHECK_CEL_CHECKER_CHECKED_H

#include <stdint.h>

#include "typecheck/cel/syntax/ast.h"
#include "typecheck/cel/types/type.h"

struct overload;

struct checked {
    const struct type *result;
    const struct type **types;         /* by node id, type parameters substituted; NULL: none was set */
    const struct overload **overloads; /* by node id: the first that matched; NULL: no call */
    uint64_t *matches;                 /* by node id: bit i is set if its function's overload i matched */
    struct str *names; /* by node id: the qualified name a selection or identifier resolved to; empty else */
};

/* The node's type; dyn if none was set. */
static inline const struct type *checked_type_of(const struct checked *checked, const struct node *n)
{
    const struct type *t = checked->types[n->id];
    return t == NULL ? &type_dyn : t;
}

#endif
