/*
 * value_text: writes values and their types, in CEL's and in Go's form.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_VALUE_TEXT_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_VALUE_TEXT_H

#include "typecheck/cel/interpreter/values/value.h"

bool value_is_own(const struct value *v); /* of a type of Kubernetes */
/* The name of the value's type: "int", "google.protobuf.Timestamp". */
struct str value_type_name(const struct value *v);
/* Go's name of its type: "types.Int". */
const char *value_go_type(const struct value *v);
/* The same since cel-go's lists and maps are generic (features.def: has_generic_types). */
const char *value_go_generic_type(const struct value *v);
const char *value_go_json_type(const struct value *v); /* of plain JSON: "[]interface {}" */

struct str value_text(struct arena *a, const struct value *v); /* as Go's %v prints it, in messages */
/* Returns true if value_text is the text that Go prints. For typed values and authorizations Go prints
 * addresses of memory. */
bool value_has_text(struct arena *a, const struct value *v);
/* The value as a literal of CEL, if there is one; the entries of a map are sorted by their texts. */
struct str value_literal(struct arena *a, const struct value *v);
size_t value_string_size(struct arena *a, struct str s); /* in code points */

/* The error for a key that Go cannot hash; NULL if it can. */
const struct value *value_check_hashable(struct arena *a, const struct value *key);

#endif
