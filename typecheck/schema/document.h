/*
 * document: an OpenAPI v3 document, compact, and the CEL types it gives.
 *
 * A document (one group-version's /openapi/v3 answer) is parsed once into a
 * graph of small nodes that keeps only what types depend on, straight from the
 * text: no tree of it is made. A document outlives the checks that use it and is const
 * for them. Types are derived a field at a time, when an expression selects
 * it, so no schema is expanded whole.
 *
 *     struct schema *doc = schema_new(bytes, len, message, sizeof message, NULL);
 *     const struct schema_node *root = schema_find(doc, STR("apps"), STR("v1"), STR("Deployment"));
 *     const struct type *t = schema_resource_type(ts, doc, root, STR("Deployment"), SCHEMA_UPSTREAM);
 */
#ifndef TYPECHECK_SCHEMA_DOCUMENT_H
#define TYPECHECK_SCHEMA_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"

struct schema;
struct schema_node;
struct type;
struct types;

#define SCHEMA_MAX_DOCUMENT_BYTES ((size_t)16 * 1024 * 1024)

/* How a schema becomes a type. */
enum schema_typing {
    SCHEMA_UPSTREAM, /* k8s.io/apiserver/pkg/cel/common/schemas.go: what kube-controller-manager's type
                        checker sees */
    SCHEMA_RUNTIME,  /* what expressions see when they are evaluated: JSON values, open objects */
};

/*
 * Parses a document. NULL on failure, with the reason in `message` (at most
 * message_size bytes, NUL-terminated); *is_limit (may be NULL): the document passes a limit of ours, and
 * may be right. The caller frees it with schema_free.
 */
struct schema *schema_new(const char *json, size_t len, char *message, size_t message_size, bool *is_limit);

/* One schema by itself, its root being schema_root(); errors as schema_new. */
struct schema *schema_new_single(const char *json, size_t len, char *message, size_t message_size,
                                 bool *is_limit);
void schema_free(struct schema *doc);

const struct schema_node *schema_root(const struct schema *doc);

/* The component that carries this x-kubernetes-group-version-kind; NULL when there is none. */
const struct schema_node *schema_find(const struct schema *doc, struct str group, struct str version,
                                      struct str kind);

/* Bytes that the document holds. */
size_t schema_bytes(const struct schema *doc);

/*
 * The type of a resource (or embedded resource) root called `name`. NULL for
 * a schema that gives none: such a variable is dyn. Allocates in the arena of `ts`.
 */
const struct type *schema_resource_type(struct types *ts, const struct schema *doc,
                                        const struct schema_node *node, struct str name,
                                        enum schema_typing typing);

/* As schema_resource_type for a schema that is no resource: no kind, apiVersion and metadata are added. */
const struct type *schema_value_type(struct types *ts, const struct schema *doc,
                                     const struct schema_node *node, struct str name,
                                     enum schema_typing typing);

#endif
