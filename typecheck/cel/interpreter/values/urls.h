/*
 * urls: functions of URLs (gourl.h).
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_URLS_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_URLS_H

#include "typecheck/cel/interpreter/values/function.h"

function_call urls_url, urls_is_url;

/* getHost() and the others whose result is a text, chosen by the name of the function. */
function_call urls_part, urls_query;

#endif
