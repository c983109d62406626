/*
 * graph_digest: a digest of a type's schema, by which a type is recognized in another document.
 *
 * It covers all nodes that the kind's component leads to, with the names of fields and components. The
 * document of a group-version changes with each definition in it; the digests of its other kinds stay.
 *
 *     schema_digest_kinds(doc);                              // once, after it was read
 *     const struct schema_digest *d = schema_digest_of(doc, node);
 */
#ifndef TYPECHECK_CEL_SCHEMA_GRAPH_DIGEST_H
#define TYPECHECK_CEL_SCHEMA_GRAPH_DIGEST_H

#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/schema/graph.h"

/* Makes the digests of the document's kinds; those that take too much work, in a document of many kinds that
 * lead to all of it, have none. */
void schema_digest_kinds(struct schema *doc);
/* The digest of the kind whose component begins at the node. */
struct schema_digest schema_digest_of(const struct schema *doc, const struct schema_node *node);

/* Adds a text, of which the length counts, too, to a digest. */
void schema_digest_add(struct schema_digest *digest, struct str text);
void schema_digest_add_number(struct schema_digest *digest, uint64_t number);

#endif
