/*
 * custom_value: the values of a custom resource, as the rules of its definition see them.
 *
 * k8s.io/apiserver/pkg/cel/common/valuesunstructured.go: JSON is read by the schema of its place. A text can
 * be a duration, a timestamp or bytes; a field that the schema does not have is hidden, and so is one that is
 * null. Hidden fields are kept under a key that no expression finds (value_map.h): they count when two
 * objects are compared.
 */
#ifndef TYPECHECK_POLICY_CRDRULES_CUSTOM_VALUE_H
#define TYPECHECK_POLICY_CRDRULES_CUSTOM_VALUE_H

#include <stdbool.h>

#include "typecheck/cel/interpreter/values/value.h"

/* schema: its JSON, as json_value_read reads it. is_resource: it has kind, apiVersion and metadata, whatever
 * the schema says. Returns the value or an error value. If it returns NULL, *missing says what this evaluator
 * lacks. */
const struct value *custom_value_of(struct arena *a, const struct value *json, const struct value *schema,
                                    bool is_resource, struct str *missing);

/* A member of a schema; NULL if there is none. */
const struct value *custom_value_member(struct arena *a, const struct value *schema, struct str name);
/* The same, if it is a text; else empty. */
struct str custom_value_text(struct arena *a, const struct value *schema, struct str name);
bool custom_value_flag(struct arena *a, const struct value *schema, struct str name);

/* The schema of a map's entry: that of the property with this name, else additionalProperties; NULL if there
 * is neither. *is_property says which one it is. */
const struct value *custom_value_entry_schema(struct arena *a, const struct value *schema, struct str name,
                                              bool *is_property);

#endif
