/*
 * repair_scope: the place of an expression that is repaired, and the result of a repair.
 */
#ifndef TYPECHECK_REPAIR_REPAIR_SCOPE_H
#define TYPECHECK_REPAIR_REPAIR_SCOPE_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"

/* The place of the expression. */
struct repair_scope {
    bool is_crd_rule;            /* self and oldSelf; else object and oldObject */
    const struct str *variables; /* names of the policy's variables */
    size_t variable_count;
};

/* How a question begins. */
#define REPAIR_QUESTION "did you mean "

struct repair {
    struct str text;  /* the whole expression */
    struct str hint;  /* "did you mean 'startsWith'?" */
    bool is_question; /* the hint is REPAIR_QUESTION, what may have been meant, and "?" */
};

#endif
