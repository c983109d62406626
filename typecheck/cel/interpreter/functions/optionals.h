/*
 * optionals: functions of optional values, except or() and orValue(): their argument is evaluated only if it
 * is needed (run.c).
 */
#ifndef TYPECHECK_CEL_INTERPRETER_FUNCTIONS_OPTIONALS_H
#define TYPECHECK_CEL_INTERPRETER_FUNCTIONS_OPTIONALS_H

#include "typecheck/cel/interpreter/values/function.h"

function_call optionals_first, optionals_has_value, optionals_last, optionals_none, optionals_of,
    optionals_of_non_zero, optionals_unwrap, optionals_value;

/* The value in an optional value, or in the innermost of several in each other; null if that one is empty. */
const struct value *optionals_innermost(struct arena *a, const struct value *v);

/* The value of an optional value with `v` in it after cel-go before 0.29 took out Go's value and wrapped it
 * again. An error value for Kubernetes' own types. */
const struct value *optionals_rewrap(struct arena *a, const struct value *v);

#endif
