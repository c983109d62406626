/*
 * urls: functions of URLs (gourl.h).
 */
#ifndef TYPECHECK_RUN_URLS_H
#define TYPECHECK_RUN_URLS_H

#include "typecheck/run/function.h"

function_call urls_url, urls_is_url;

/* getHost() and the others that are texts, by their name. */
function_call urls_part, urls_query;

#endif
