/*
 * go_written: completes a value that was sent for a type of Go, so that it is as Go writes it again.
 *
 * Each property of a struct is decided by whether it was sent, as Go decodes a struct and writes it again;
 * defaults, empty lists, null and zeros come from there. The value and the schema are walked through
 * together. The value is never changed; parts that stay the same are shared with it.
 *
 *     struct go_written c = {.arena = a, .doc = doc};
 *     const struct value *v = go_written_complete(&c, json, &type, 0);
 *     if (c.is_lost) ...
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_GO_WRITTEN_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_GO_WRITTEN_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/cel/interpreter/values/value.h"

struct go_type;
struct schema;
struct schema_property;

/* The deepest nesting; JSON that could be parsed is not deeper. */
enum { GO_WRITTEN_DEPTH = 1000 };

struct go_written {
    struct arena *arena;
    const struct schema *doc;
    bool is_lost; /* the schema's reader did not keep a default that is needed */
};

/* depth: how deep the value lies in the object. The result lies in the arena. */
const struct value *go_written_complete(struct go_written *c, const struct value *v,
                                        const struct go_type *type, unsigned depth);

/* The property's key in JSON. */
struct str go_written_key(struct go_written *c, const struct schema_property *p);

/* The default of a property; NULL: it has none. */
const struct value *go_written_default(struct go_written *c, const struct schema_property *p);

/* A map of JSON without members. */
struct value *go_written_new_map(struct go_written *c, size_t cap);

#endif
