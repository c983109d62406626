/*
 * collections: functions of lists and maps.
 */
#ifndef TYPECHECK_FUNCTIONS_COLLECTIONS_H
#define TYPECHECK_FUNCTIONS_COLLECTIONS_H

#include "typecheck/values/function.h"

function_call collections_in, collections_size;

/* What transformMap() collects in: an entry, or all entries of another map, that must not be there yet. */
function_call collections_insert, collections_insert_all;

#endif
