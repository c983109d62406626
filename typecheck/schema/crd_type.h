/*
 * crd_type: what `self` is at a place of a CustomResourceDefinition's schema:
 * its type, how many elements it can have, how few bytes it takes.
 *
 * k8s.io/apiserver/pkg/cel/common/schemas.go and pkg/cel/types.go: here byte,
 * date, date-time and duration strings are bytes, timestamps and durations.
 * What has no type is not exposed. Selftypes live in the arena of their nodes.
 *
 *     const struct crd_type *self = crd_type_derive(arena, node);
 *     if (self != NULL) variable.type = crd_type_type(ts, self, STR("selfType"));
 */
#ifndef TYPECHECK_SCHEMA_CRD_TYPE_H
#define TYPECHECK_SCHEMA_CRD_TYPE_H

#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/schema/structural.h"

struct arena;
struct type;
struct types;

struct crd_type_field {
    struct str name; /* escaped, as expressions select it */
    const struct crd_type *type;
};

enum crd_type_shape { CRD_TYPE_SCALAR, CRD_TYPE_LIST, CRD_TYPE_MAP, CRD_TYPE_OBJECT };

struct crd_type {
    enum crd_type_shape shape;
    const struct type *scalar; /* SCALAR */
    int64_t max_elements;      /* of a list, a map, a string; else 0 */
    int64_t min_bytes;         /* as JSON */
    const struct crd_type *key, *element;
    struct crd_type_field *fields; /* OBJECT; sorted by name */
    size_t field_count;
};

/* The largest request that a server takes. */
#define CRD_TYPE_REQUEST_BYTES ((int64_t)3 * 1024 * 1024)

/* NULL: not exposed. Remembered in the node; recurses as deep as the schema. */
const struct crd_type *crd_type_derive(struct arena *a, struct structural *node);

/* What of a node's selftype depends on its bounds, anew: they were changed. Other selftypes do not depend on
 * them. */
void crd_type_rebound(struct structural *node);

/* NULL when there is none. */
const struct crd_type *crd_type_field(const struct crd_type *object, struct str name);

/* The type, its objects called `name`, "name.field", "name.@idx", "name.@elem". */
const struct type *crd_type_type(struct types *ts, const struct crd_type *self, struct str name);

/* How often data of such a size can occur in one request. */
uint64_t crd_type_cardinality(const struct crd_type *self);

#endif
