/*
 * string_format: 'text %s'.format([...]).
 *
 * It formats as version 2 of cel-go's strings library, for its locale en_US: %f groups digits, %e writes
 * powers of ten.
 */
#ifndef TYPECHECK_FUNCTIONS_STRING_FORMAT_H
#define TYPECHECK_FUNCTIONS_STRING_FORMAT_H

#include "typecheck/values/function.h"

function_call string_format_format;

#endif
