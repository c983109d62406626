/*
 * value_text: how values and their types are written, by CEL and by Go.
 */
#ifndef TYPECHECK_VALUES_VALUE_TEXT_H
#define TYPECHECK_VALUES_VALUE_TEXT_H

#include "typecheck/values/value.h"

bool value_is_own(const struct value *v); /* of a type of Kubernetes */
/* The name of the value's type: "int", "google.protobuf.Timestamp". */
struct str value_type_name(const struct value *v);
/* What Go calls its type: "types.Int". */
const char *value_go_type(const struct value *v);
const char *value_go_json_type(const struct value *v); /* of JSON that it has not wrapped: "[]interface {}" */

struct str value_text(struct arena *a, const struct value *v); /* as Go's %v prints it, in messages */
/* Whether that is all that Go prints: of what is typed, or an authorization, it prints places in memory. */
bool value_has_text(struct arena *a, const struct value *v);
/* As a literal of CEL where there is one; the entries of a map in the order of their texts. */
struct str value_literal(struct arena *a, const struct value *v);
size_t value_string_size(struct arena *a, struct str s); /* in code points */

/* Of a map that is asked for a key that Go cannot hash: the error; NULL: it can. */
const struct value *value_check_hashable(struct arena *a, const struct value *key);

#endif
