/*
 * function: the C signature of a CEL function: its invocation with the arguments, and its result.
 */
#ifndef TYPECHECK_VALUES_FUNCTION_H
#define TYPECHECK_VALUES_FUNCTION_H

#include "typecheck/values/value.h"

struct arena;
struct regexp_program;

struct invocation {
    struct arena *arena;
    struct str function;             /* "_+_", "getHours" */
    const struct value *const *args; /* the receiver first; of the types of an overload */
    size_t count;
    const struct regexp_program *pattern; /* of an argument that is constant; NULL: it is not */
    struct str *missing; /* to be set where the answer needs what this evaluator lacks: the run ends */
};

#define FUNCTION_LACKS_TEXT "vapcheck does not print a value of Go as Go does"

/* For an error whose text Go prints a typed value into. */
static inline const struct value *function_lacks_text(const struct invocation *c)
{
    *c->missing = STR(FUNCTION_LACKS_TEXT);
    return &value_null;
}

/* The result, or an error value. */
typedef const struct value *function_call(const struct invocation *c);

#endif
