/*
 * property_name: property names of an OpenAPI schema as CEL identifiers.
 *
 * k8s.io/apiserver/pkg/cel/escaping.go: "__" is written __underscores__, "."
 * __dot__, "-" __dash__, "/" __slash__, and a reserved word of CEL is written
 * between two "__" (__namespace__). Names with other characters have no
 * identifier.
 */
#ifndef TYPECHECK_SCHEMA_PROPERTY_NAME_H
#define TYPECHECK_SCHEMA_PROPERTY_NAME_H

#include <stdbool.h>

#include "typecheck/base/str.h"

struct arena;

/* *out: the identifier for `name`, which is `name` itself if nothing must be escaped. False: there is none.
 */
bool property_name_escape(struct arena *a, struct str name, struct str *out);

/* The name that such an identifier stands for; what is none stands for itself. False: it stands for no name.
 */
bool property_name_unescape(struct arena *a, struct str identifier, struct str *out);

/*
 * How a graph (graph.h) names a property: its identifier, or, where there is
 * none and only an index finds it, the key behind a quote.
 */
struct str property_name_of_key(struct arena *a, struct str key);

/* Whether a graph's name is one that expressions cannot select. */
bool property_name_is_quoted(struct str name);

#endif
