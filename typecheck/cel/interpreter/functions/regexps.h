/*
 * regexps: matches(), and Kubernetes' find() and findAll().
 *
 * A pattern that is a constant is compiled when the expression is planned, any other at each call.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_FUNCTIONS_REGEXPS_H
#define TYPECHECK_CEL_INTERPRETER_FUNCTIONS_REGEXPS_H

#include "typecheck/cel/interpreter/values/function.h"

/* Returns true if the second argument of the function is a pattern. */
bool regexps_take_pattern(struct str function);

function_call regexps_matches, regexps_find, regexps_find_all;
/* The same by the rules of features.def before has_unicode_17. */
function_call regexps_matches_unicode_15, regexps_find_unicode_15, regexps_find_all_unicode_15;

#endif
