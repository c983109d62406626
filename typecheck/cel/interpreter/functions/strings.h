/*
 * strings: functions of strings. Indexes count code points.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_FUNCTIONS_STRINGS_H
#define TYPECHECK_CEL_INTERPRETER_FUNCTIONS_STRINGS_H

#include "typecheck/cel/interpreter/values/function.h"

/* The text without Unicode white space at its ends, as Go's strings.TrimSpace. */
struct str strings_trim_space(struct arena *a, struct str s);

function_call strings_contains, strings_ends_with, strings_starts_with;

function_call strings_char_at, strings_escape_key, strings_index_of, strings_join, strings_last_index_of,
    strings_lower, strings_quote, strings_replace, strings_split, strings_substring, strings_trim,
    strings_upper;

/* The same, but the index, also the one that is not given, must be that of a character. */
function_call strings_index_of_strict, strings_last_index_of_strict;

/* The same, but an empty text is found at the given index, whatever the index is. */
function_call strings_index_of_unbounded, strings_last_index_of_unbounded;

#endif
