/*
 * string_format: 'text %s'.format([...]).
 *
 * It formats as version 2 of cel-go's strings library, for its locale en_US: %f groups digits, %e writes
 * powers of ten.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_FUNCTIONS_STRING_FORMAT_H
#define TYPECHECK_CEL_INTERPRETER_FUNCTIONS_STRING_FORMAT_H

#include "typecheck/cel/interpreter/values/function.h"

function_call string_format_format;

/* The clause after a "%" of a format. */
struct string_format_clause {
    unsigned types;        /* what it takes, a sum of TYPE_KIND */
    const char *complaint; /* the error about other types */
};

/* Sets *out to the next clause of the format from *at on, and moves *at past it; returns false if there is no
 * valid one. */
bool string_format_next(struct arena *a, struct str format, size_t *at, struct string_format_clause *out);

#endif
