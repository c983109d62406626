/*
 * repair_scope: where an expression stands that is repaired, and what a repair makes of it.
 */
#ifndef TYPECHECK_REPAIR_REPAIR_SCOPE_H
#define TYPECHECK_REPAIR_REPAIR_SCOPE_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"

/* Where the expression stands. */
struct repair_scope {
    bool is_crd_rule;            /* self and oldSelf; else object and oldObject */
    const struct str *variables; /* names of the policy's variables */
    size_t variable_count;
};

struct repair {
    struct str text; /* the whole expression */
    struct str hint; /* "did you mean 'startsWith'?" */
};

#endif
