/*
 * collections: functions of lists and maps.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_FUNCTIONS_COLLECTIONS_H
#define TYPECHECK_CEL_INTERPRETER_FUNCTIONS_COLLECTIONS_H

#include "typecheck/cel/interpreter/values/function.h"

function_call collections_in, collections_in_before_generics, collections_size;

/* Functions of transformMap(): they insert an entry, or all entries of another map. The keys must not be
 * there yet. */
function_call collections_insert, collections_insert_all;

#endif
