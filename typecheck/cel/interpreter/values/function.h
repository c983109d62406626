/*
 * function: the C signature of a CEL function: an invocation with its arguments, and the result.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_FUNCTION_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_FUNCTION_H

#include "typecheck/cel/interpreter/values/value.h"

struct arena;
struct regexp_program;

struct invocation {
    struct arena *arena;
    struct str function;             /* "_+_", "getHours" */
    const struct value *const *args; /* the receiver first; of the types of an overload */
    size_t count;
    const struct regexp_program *pattern; /* of a constant argument; NULL: it is not constant */
    struct str *missing; /* set by a function that this evaluator cannot compute; the run ends */
};

#define FUNCTION_LACKS_TEXT "vapcheck does not print a value of Go as Go does"

/* Ends the run: the text of an error contains, in Go, a typed value. */
static inline const struct value *function_lacks_text(const struct invocation *c)
{
    *c->missing = STR(FUNCTION_LACKS_TEXT);
    return &value_null;
}

/* The result, or an error value. */
typedef const struct value *function_call(const struct invocation *c);

#endif
