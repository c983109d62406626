/*
 * conversions: int(x), string(x) and the others that CEL names by their type.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_FUNCTIONS_CONVERSIONS_H
#define TYPECHECK_CEL_INTERPRETER_FUNCTIONS_CONVERSIONS_H

#include "typecheck/cel/interpreter/values/function.h"

/* Each converts to the type that its name says. */
function_call conversions_same, conversions_type, conversions_bool, conversions_bytes, conversions_double,
    conversions_duration, conversions_int, conversions_string, conversions_timestamp, conversions_uint;

#endif
