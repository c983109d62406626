/*
 * optionals: functions of optional values, except or() and orValue(): their argument is evaluated only if it
 * is needed (run.c).
 */
#ifndef TYPECHECK_FUNCTIONS_OPTIONALS_H
#define TYPECHECK_FUNCTIONS_OPTIONALS_H

#include "typecheck/values/function.h"

function_call optionals_first, optionals_has_value, optionals_last, optionals_none, optionals_of,
    optionals_of_non_zero, optionals_unwrap, optionals_value;

#endif
