/*
 * go_type: the Go type in which the API server holds a value of a built-in kind, by its schema.
 *
 * An OpenAPI document has a component for each of Kubernetes' Go structs, under a name that stands for the
 * struct's; slices and maps are arrays and additionalProperties. Since 1.37, expressions read objects of
 * built-in kinds by reflection (k8s.io/apiserver/pkg/cel/common/valuesschemalesstyped.go), and then these
 * types matter.
 *
 *     struct go_type type;
 *     if (go_type_of_resource(doc, root, &type)) ...        // else it is a custom resource: JSON
 */
#ifndef TYPECHECK_CEL_SCHEMA_GO_TYPE_H
#define TYPECHECK_CEL_SCHEMA_GO_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct arena;
struct schema;
struct schema_node;
struct schema_property;

enum go_shape {
    GO_SCALAR, /* a string, a boolean, an integer, or a time, which is written as a string */
    GO_DOUBLE,
    GO_QUANTITY,
    GO_STRUCT,
    GO_MAP, /* with strings as keys */
    GO_LIST,
    GO_FIELDS, /* metav1.FieldsV1: JSON that the API server itself wrote */
    GO_JSON,   /* JSON as a client sent it, or a type that writes itself as JSON */
};

struct go_type {
    const struct schema *doc; /* borrowed */
    uint32_t node, component; /* component 0: the schema is none */
};

/* Sets *out to the type of a kind whose schema is `root`; returns false if it is not one of Kubernetes'
 * own. */
bool go_type_of_resource(const struct schema *doc, const struct schema_node *root, struct go_type *out);

enum go_shape go_type_shape(const struct go_type *type);

/* SCALAR: whether it is a string in Go, and no time. */
bool go_type_is_string(const struct go_type *type);

/* STRUCT: the name that distinguishes it from other structs. */
struct str go_type_name(const struct go_type *type);

/* Sets *out to the type of a STRUCT's field with that JSON name; returns false if there is none. */
bool go_type_field(struct arena *a, const struct go_type *type, struct str name, struct go_type *out);

/* STRUCT: whether that field is a slice that is neither required nor omitted: null if it is not set. */
bool go_type_keeps(const struct go_type *type, struct str field);

/* STRUCT: whether that field is a slice or map that is required, though Go leaves it out if it is empty. */
bool go_type_omits(const struct go_type *type, struct str field);

/* STRUCT: the type of one of the properties of its node. */
struct go_type go_type_property(const struct go_type *type, const struct schema_property *property);

/* STRUCT: whether that field, whose default is empty, is omitted if it is empty. */
bool go_type_leaves_out(const struct go_type *type, struct str field);

/* LIST, MAP: the type of the items. */
struct go_type go_type_item(const struct go_type *type);

#endif
