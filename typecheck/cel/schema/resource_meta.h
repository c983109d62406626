/*
 * resource_meta: tests whether the schema of a resource lists kind, apiVersion and the names in metadata.
 *
 * k8s.io/apiserver/pkg/cel/common/schemas.go, WithTypeAndObjectMeta: a schema that does not list all of them,
 * with their types, gets them all.
 */
#ifndef TYPECHECK_CEL_SCHEMA_RESOURCE_META_H
#define TYPECHECK_CEL_SCHEMA_RESOURCE_META_H

#include <stdbool.h>

#include "typecheck/cel/schema/graph.h"

/* The type of a property of the resource, or of its metadata; JSON_UNTYPED: the schema does not list it. */
typedef enum schema_json_type resource_meta_type(const void *user, bool is_in_metadata, struct str name);

bool resource_meta_is_listed(resource_meta_type *type_of, const void *user);

/* The same of a node of a graph. metadata: the node of that property; may be NULL. */
bool resource_meta_is_in_graph(const struct schema *doc, const struct schema_node *node,
                               const struct schema_node *metadata);

#endif
