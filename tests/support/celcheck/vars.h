/*
 * vars: the variables of one input line.
 *
 * A type is one of "dyn" "any" "null" "bool" "int" "uint" "double" "string"
 * "bytes" "duration" "timestamp" "authorizer", or an object: {"list":T}
 * {"map":[K,V]} {"optional":T} {"nullable":T} {"type":T} {"param":"A"}
 * {"object":"net.IP"} {"opaque":"net.IP"} {"decl":"request"|"namespace"}
 * {"schema":OPENAPI,"name":"Thing","root":true}. Documents made from schemas
 * are kept while lines use the same one.
 */
#ifndef TESTS_SUPPORT_CELCHECK_VARS_H
#define TESTS_SUPPORT_CELCHECK_VARS_H

#include <stddef.h>

#include "typecheck/cel/types/env.h"

struct json_object;
struct schema;
struct types;

#define VARS_MAX_SCHEMAS 64

/* A schema of the line; its key is the JSON that it was made of. */
struct vars_schema {
    const struct json_object *json;
    struct schema *doc;
};

struct vars {
    struct vars_schema schemas[VARS_MAX_SCHEMAS];
    size_t schema_count;
};

/* Variables for the members of `json` (NULL: none), in the arena of `ts`. Returns NULL and a message on
 * failure. */
const struct variable *vars_read(struct vars *vars, struct types *ts, struct json_object *json, size_t *count,
                                 struct str *message);

/* Forgets the line's schemas. */
void vars_clear(struct vars *vars);

#endif
