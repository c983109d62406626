/*
 * collections: functions of lists and maps.
 */
#ifndef TYPECHECK_RUN_COLLECTIONS_H
#define TYPECHECK_RUN_COLLECTIONS_H

#include "typecheck/run/function.h"

function_call collections_in, collections_size;

#endif
