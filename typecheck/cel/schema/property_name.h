/*
 * property_name: converts property names of an OpenAPI schema to CEL identifiers and back.
 *
 * k8s.io/apiserver/pkg/cel/escaping.go: "__" is written __underscores__, "."
 * __dot__, "-" __dash__, "/" __slash__, and a reserved word of CEL is written
 * between two "__" (__namespace__). Names with other characters have no
 * identifier.
 */
#ifndef TYPECHECK_CEL_SCHEMA_PROPERTY_NAME_H
#define TYPECHECK_CEL_SCHEMA_PROPERTY_NAME_H

#include <stdbool.h>

#include "typecheck/base/str.h"

struct arena;

/* Sets *out to the identifier for `name`, which is `name` itself if nothing must be escaped. Returns false if
 * there is none. */
bool property_name_escape(struct arena *a, struct str name, struct str *out);

/* Sets *out to the property name of an identifier; an identifier without escapes is the name itself. Returns
 * false if it is not a name. */
bool property_name_unescape(struct arena *a, struct str identifier, struct str *out);

/*
 * The name of a property in a graph (graph.h): its identifier, or, if it has none
 * and only an index finds it, a quote followed by the key.
 */
struct str property_name_of_key(struct arena *a, struct str key);

/* Returns true if a graph's name is one that expressions cannot select. */
bool property_name_is_quoted(struct str name);

#endif
