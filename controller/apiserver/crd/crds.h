/*
 * crds: the documents that an API server publishes for its
 * CustomResourceDefinitions: entries of its discovery, and OpenAPI v3 documents.
 * Pure.
 *
 * A later definition of the same name replaces an earlier one. A document has
 * components only, since no type depends on its paths. The components that
 * the kinds refer to (ObjectMeta, Scale) are copied from another document.
 *
 * Trees of JSON are large. Where nobody reads descriptions (crds_keep_types), of a definition only the text
 * is kept on which types depend.
 *
 *     struct crds *crds = crds_new();
 *     if (crds_add(crds, json, &err) != 0) ...
 *     struct json_object *apis = crds_discovery(crds, served);
 *     struct json_object *document = crds_document(crds, "apis/example.com/v1", base, other);
 */
#ifndef CONTROLLER_APISERVER_CRD_CRDS_H
#define CONTROLLER_APISERVER_CRD_CRDS_H

#include <json-c/json.h>
#include <stdbool.h>

#include "client/base/buf.h"
#include "client/base/err.h"

struct crds;

struct crds *crds_new(void);
void crds_free(struct crds *crds);
/* From now on: documents have no descriptions of what further definitions define. */
void crds_keep_types(struct crds *crds);

/* Takes a reference to the definition, or to a part of it. Errors: INVALID: a field is missing that every
 * server requires; the message names it. */
int crds_add(struct crds *crds, struct json_object *definition, struct err *err) MUST_CHECK;
/* The parts of a definition that are kept if no descriptions are (crds_keep_types). The caller frees it.
 * NULL: crds_add would not take the definition. */
struct crds_definition;
struct crds_definition *crds_read(struct json_object *definition);
void crds_definition_free(struct crds_definition *definition);
/* Adds it as crds_add does. It is empty afterwards. */
void crds_take(struct crds *crds, struct crds_definition *definition);
bool crds_is_empty(const struct crds *crds);

/* The aggregated discovery of `apis` (borrowed) with the definitions' resources in it. The caller
 * puts the answer. */
struct json_object *crds_discovery(const struct crds *crds, struct json_object *apis);

/* The document of a path such as "apis/example.com/v1"; NULL if no definition is served there. base: the
 * document that the server publishes there without them, or NULL. meta: one of its documents that has
 * ObjectMeta and Scale ("apis/apps/v1"), or NULL. The caller puts the answer. */
struct json_object *crds_document(const struct crds *crds, const char *path, struct json_object *base,
                                  struct json_object *meta);
/* Appends the text of the same document; false: no definition is served there. */
bool crds_write(const struct crds *crds, const char *path, struct json_object *base, struct json_object *meta,
                struct buf *out);

#endif
