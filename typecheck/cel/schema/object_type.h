/*
 * object_type: the CEL type of a schema.
 *
 * The type of a field is made when an expression selects it, so no schema is ever
 * expanded as a whole. They live in the arena of their `struct types`.
 *
 *     const struct type *t = object_type_of_resource(ts, doc, root, STR("Deployment"), SCHEMA_UPSTREAM);
 */
#ifndef TYPECHECK_CEL_SCHEMA_OBJECT_TYPE_H
#define TYPECHECK_CEL_SCHEMA_OBJECT_TYPE_H

#include <stdbool.h>

#include "typecheck/base/str.h"

struct schema;
struct schema_node;
struct type;
struct types;

/* Says how a schema becomes a type. */
enum schema_typing {
    SCHEMA_UPSTREAM, /* k8s.io/apiserver/pkg/cel/common/schemas.go: as kube-controller-manager checks types */
    SCHEMA_RUNTIME,  /* as in evaluation: values of JSON, objects may have further fields */
    SCHEMA_VALIDATED, /* the same of an object that the API server validated, with what its strings can be */
};

/* The type of a resource (or embedded resource) whose root is `node`, called `name`. Returns NULL if the
 * schema gives no type, and a variable for it is dyn. */
const struct type *object_type_of_resource(struct types *ts, const struct schema *doc,
                                           const struct schema_node *node, struct str name,
                                           enum schema_typing typing);

/* The same type of SCHEMA_VALIDATED; `type`: of SCHEMA_RUNTIME. Returns NULL if it is no object with
 * fields. */
const struct type *object_type_validated(struct types *ts, const struct type *type);

/* The same for a schema that is no resource: kind, apiVersion and metadata are not added. */
const struct type *object_type_of_value(struct types *ts, const struct schema *doc,
                                        const struct schema_node *node, struct str name,
                                        enum schema_typing typing);

/* Returns true if the resource's type is of a kind that is built into Kubernetes, by the Go type that the
 * document names: not a custom resource, and no kind of another API server. */
bool object_type_is_built_in(const struct type *resource);
/* Returns true if the object is in the schema of a kind that Kubernetes itself does not define; false if no
 * schema has it. */
bool object_type_is_foreign(const struct type *t);
/* Returns true if the resource is of a CustomResourceDefinition: its schema has the name that the API server
 * makes from group, version and kind. */
bool object_type_is_custom(struct types *ts, const struct type *resource, struct str group,
                           struct str version, struct str kind);

/*
 * Facts that a schema alone shows, without a type. object_type_is_schema_name returns true if the schemas of
 * resources have the field under its own name and no other; object_type_is_closed, if the objects of such a
 * field of a resource have the fields that the schema of the field lists, and no others.
 */
bool object_type_is_schema_name(struct str field, bool is_of_root);
bool object_type_is_closed(const struct schema_node *node);

/* The type of metadata that SCHEMA_UPSTREAM adds to a resource, with name and generateName. */
const struct type *object_type_of_metadata(struct types *ts, const struct schema *doc, struct str name);

#endif
