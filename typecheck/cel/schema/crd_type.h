/*
 * crd_type: describes `self` at a place of a CustomResourceDefinition's schema: its
 * type, how many elements it can have, how few bytes it takes.
 *
 * The type is made by object_type.h; the sizes are those of
 * k8s.io/apiserver/pkg/cel/common/schemas.go. The struct is copied by value, and
 * is valid as long as the schema.
 *
 *     struct schema *schema = schema_new_definition(json, len, &definition);
 *     struct crd_type self = {.schema = schema, .node = schema->root};
 *     if (crd_type_is_exposed(&self))
 *         variable.type = crd_type_type(ts, &self, STR("selfType"));
 */
#ifndef TYPECHECK_CEL_SCHEMA_CRD_TYPE_H
#define TYPECHECK_CEL_SCHEMA_CRD_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct schema;
struct type;
struct types;

enum crd_type_shape {
    CRD_TYPE_SCHEMA, /* the node of the schema */
    CRD_TYPE_KEY,    /* the keys of the map at the node */
    /* members that a resource gets if its schema does not list them; node: the resource */
    CRD_TYPE_STRING, /* kind, apiVersion */
    CRD_TYPE_METADATA,
    CRD_TYPE_NAME,
    CRD_TYPE_GENERATE_NAME,
};

struct crd_type {
    const struct schema *schema; /* of schema_new_definition */
    uint32_t node;               /* index */
    enum crd_type_shape shape;
};

/* The largest request that a server takes. */
#define CRD_TYPE_REQUEST_BYTES ((int64_t)3 * 1024 * 1024)

/* Returns true if there is a type. Expressions cannot see a place without one. */
bool crd_type_is_exposed(const struct crd_type *self);

/* Sets *field to the field that expressions select as `name`, escaped; returns false if there is none. */
bool crd_type_field(struct crd_type object, struct str name, struct crd_type *field);

/* Sets *element to the element of a list or a map; returns false if the type is neither. */
bool crd_type_element(struct crd_type container, struct crd_type *element);
bool crd_type_key(struct crd_type map, struct crd_type *key);

/* The maximum of elements of a list or a map, or of bytes of a string; 0 for others. */
int64_t crd_type_max_elements(const struct crd_type *self);

/* The minimum of bytes, as JSON. */
int64_t crd_type_min_bytes(const struct crd_type *self);

/* Returns how often data of such a size can occur in one request. */
uint64_t crd_type_cardinality(const struct crd_type *self);

/* The type; its objects are called `name`, "name.field", "name.@idx", "name.@elem". */
const struct type *crd_type_type(struct types *ts, const struct crd_type *self, struct str name);

/* Sets min_bytes of all places of a definition. */
void crd_type_measure(struct schema *definition);

#endif
