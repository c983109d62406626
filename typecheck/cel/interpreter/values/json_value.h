/*
 * json_value: reads values from JSON as Kubernetes decodes it: a number is an int if it is written as one.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_JSON_VALUE_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_JSON_VALUE_H

#include "typecheck/cel/interpreter/values/value.h"

/* Returns NULL if the text is not JSON. */
const struct value *json_value_read(struct arena *a, struct str text);

#endif
