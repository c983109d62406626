/*
 * schema_document: an OpenAPI v3 document, kept compactly.
 *
 * A document (one group-version's /openapi/v3 answer) is parsed once, without
 * a tree of its JSON, into a graph of small nodes (graph.h), which keeps only what
 * types depend on. It outlives the checks that use it, and is const for them.
 * object_type.h makes CEL types from it.
 *
 *     struct schema *doc = schema_new(bytes, len, message, sizeof message, NULL);
 *     const struct schema_node *root = schema_find(doc, STR("apps"), STR("v1"), STR("Deployment"));
 */
#ifndef TYPECHECK_CEL_SCHEMA_SCHEMA_DOCUMENT_H
#define TYPECHECK_CEL_SCHEMA_SCHEMA_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/base/str.h"

struct schema;
struct schema_node;

#define SCHEMA_MAX_DOCUMENT_BYTES ((size_t)16 * 1024 * 1024)

/*
 * Parses a document. NULL on failure, with the reason in `message` (at most
 * message_size bytes, NUL-terminated). *is_limit (may be NULL): the document
 * may be right, but is larger or deeper than this reader allows. The caller
 * frees it with schema_free.
 */
struct schema *schema_new(const char *json, size_t len, char *message, size_t message_size, bool *is_limit);

/*
 * The same in slices, for a loop that has other work. A step reads about so many
 * bytes of the text, and then the rest of the keyword at that place, which is at
 * most KEYWORDS_MAX_PROPERTIES properties of one object. The text is borrowed
 * until the end.
 *
 *     struct schema_reader *r = schema_reader_new(bytes, len);
 *     if (!schema_reader_step(r, SCHEMA_SLICE_BYTES))       // once a turn
 *         doc = schema_reader_end(r, message, sizeof message, &is_limit);
 */
struct schema_reader;

#define SCHEMA_SLICE_BYTES   ((size_t)128 * 1024) /* about 3 ms */
#define SCHEMA_MESSAGE_BYTES 256

/* Returns NULL if there is no memory. */
struct schema_reader *schema_reader_new(const char *json, size_t len);
/* Returns true if another step is needed. */
bool schema_reader_step(struct schema_reader *reader, size_t most_bytes);
/* Frees the reader. Returns as schema_new, or NULL before the last step. message and is_limit may be NULL. */
struct schema *schema_reader_end(struct schema_reader *reader, char *message, size_t message_size,
                                 bool *is_limit);

/* Parses one schema without a document around it; it is the root. Errors as schema_new. */
struct schema *schema_new_single(const char *json, size_t len, char *message, size_t message_size);

/* Facts about a CustomResourceDefinition's schema that its JSON does not contain. */
struct schema_definition {
    bool is_resource;                  /* the root is a resource; embedded ones are marked in the schema */
    bool bounds_names;                 /* a resource's name is at most as long as Kubernetes allows */
    bool ignores_int_or_string_length; /* the maxLength of an int-or-string does not count */
};

/*
 * Parses the schema of a CustomResourceDefinition, with the bounds that the cost of its rules depends on
 * (crd_type.h). Parts that are no valid schema are ignored. Returns NULL if the schema is too large or too
 * deep, or there is no memory.
 */
struct schema *schema_new_definition(const char *json, size_t len,
                                     const struct schema_definition *definition);
/* Returns true if schema_new_definition reads the keyword. It passes over all others. */
bool schema_definition_reads(struct str keyword);
void schema_free(struct schema *doc);

const struct schema_node *schema_root(const struct schema *doc);

/* The component that carries this x-kubernetes-group-version-kind; NULL when there is none. */
const struct schema_node *schema_find(const struct schema *doc, struct str group, struct str version,
                                      struct str kind);

/* Bytes that the document holds. */
size_t schema_bytes(const struct schema *doc);

#endif
