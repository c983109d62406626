/*
 * selftype: what `self` is at a place of a CustomResourceDefinition's schema:
 * its type, how many elements it can have, how few bytes it takes.
 *
 * k8s.io/apiserver/pkg/cel/common/schemas.go and pkg/cel/types.go: here byte,
 * date, date-time and duration strings are bytes, timestamps and durations.
 * What has no type is not exposed. Selftypes live in the arena of their nodes.
 *
 *     const struct selftype *self = selftype_derive(arena, node);
 *     if (self != NULL) variable.type = selftype_type(ts, self, STR("selfType"));
 */
#ifndef TYPECHECK_SCHEMA_SELFTYPE_H
#define TYPECHECK_SCHEMA_SELFTYPE_H

#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/schema/structural.h"

struct arena;
struct type;
struct types;

struct selftype_field {
    struct str name; /* escaped, as expressions select it */
    const struct selftype *type;
};

enum selftype_shape { SELFTYPE_SCALAR, SELFTYPE_LIST, SELFTYPE_MAP, SELFTYPE_OBJECT };

struct selftype {
    enum selftype_shape shape;
    const struct type *scalar; /* SCALAR */
    int64_t max_elements;      /* of a list, a map, a string; else 0 */
    int64_t min_bytes;         /* as JSON */
    const struct selftype *key, *element;
    struct selftype_field *fields; /* OBJECT; sorted by name */
    size_t field_count;
};

/* The largest request that a server takes. */
#define SELFTYPE_REQUEST_BYTES ((int64_t)3 * 1024 * 1024)

/* NULL: not exposed. Remembered in the node; recurses as deep as the schema. */
const struct selftype *selftype_derive(struct arena *a, struct structural *node);

/* What of a node's selftype depends on its bounds, anew: they were changed. Other selftypes do not depend on
 * them. */
void selftype_rebound(struct structural *node);

/* NULL when there is none. */
const struct selftype *selftype_field(const struct selftype *object, struct str name);

/* The type, its objects called `name`, "name.field", "name.@idx", "name.@elem". */
const struct type *selftype_type(struct types *ts, const struct selftype *self, struct str name);

/* How often data of such a size can occur in one request. */
uint64_t selftype_cardinality(const struct selftype *self);

#endif
