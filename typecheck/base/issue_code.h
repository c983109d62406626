/*
 * issue_code: the kind of an issue, whatever its message says.
 *
 * The code is set where the issue is raised. The public identifier of a finding is made from it, so that a
 * message can be reworded. Errors of evaluation have codes as well: those of calls whose operands are
 * constants become issues.
 */
#ifndef TYPECHECK_BASE_ISSUE_CODE_H
#define TYPECHECK_BASE_ISSUE_CODE_H

#include "typecheck/base/str.h"

enum issue_code {
    ISSUE_OTHER, /* nothing that has a name of its own */
    ISSUE_SYNTAX,
    ISSUE_UNDECLARED_REFERENCE,
    ISSUE_UNDEFINED_FIELD,
    ISSUE_NULL_OBJECT, /* the field is undefined because the value that should have it is null */
    ISSUE_NO_FIELDS,   /* a value of that type has no fields at all */
    ISSUE_NO_OVERLOAD,
    ISSUE_NEVER_EQUAL, /* there is no overload of a comparison, or its operands are never equal */
    ISSUE_TYPE_MISMATCH,
    ISSUE_NO_RANGE,       /* a macro cannot go over a value of that type */
    ISSUE_WRONG_CONSTANT, /* of constants the result is an error */
    ISSUE_WRONG_MUTATION,
    ISSUE_ALWAYS_TRUE, /* a validation is so for every request */
    ISSUE_ALWAYS_FALSE,
    ISSUE_NEVER_APPLIES, /* no request passes the match conditions */
    ISSUE_NO_SUCH_KEY,   /* of evaluation only */
    ISSUE_COST_LIMIT,    /* of evaluation only: the run was stopped */
    ISSUE_RESERVED,      /* a reserved word stands where a name is needed */
} __attribute__((packed));

/* The message of ISSUE_NO_SUCH_KEY begins with this; the key follows. */
#define ISSUE_NO_SUCH_KEY_TEXT "no such key: "

/* The code of a call that no overload of the function takes. */
static inline enum issue_code issue_code_of_mismatch(struct str function)
{
    const bool is_comparison =
        str_eq(function, STR("_==_")) || str_eq(function, STR("_!=_")) || str_eq(function, STR("@in"));
    return is_comparison ? ISSUE_NEVER_EQUAL : ISSUE_NO_OVERLOAD;
}

#endif
