/*
 * strings: functions of strings.
 */
#ifndef TYPECHECK_RUN_STRINGS_H
#define TYPECHECK_RUN_STRINGS_H

#include "typecheck/run/function.h"

function_call strings_contains, strings_ends_with, strings_starts_with;

#endif
