/*
 * sent_object: an object as the API server hands it to policies, made of one as it was sent.
 *
 * Of a built-in kind it is what Go writes of its struct: with what is never left out (a container has
 * `resources`), without what is empty, quantities in canonical form, and with the defaults that the schema
 * names. Defaults that the API server's code sets besides (a Deployment's replicas) are not in any schema,
 * and are not set. A custom resource gets the defaults of its schema.
 */
#ifndef TYPECHECK_VALUES_SENT_OBJECT_H
#define TYPECHECK_VALUES_SENT_OBJECT_H

#include "typecheck/values/value.h"

struct schema;
struct schema_node;

/* root: of the kind, in its document. A value that is not as the schema says stays as it is. NULL: the
 * document has more defaults than this reader keeps. */
const struct value *sent_object_complete(struct arena *a, const struct value *json, const struct schema *doc,
                                         const struct schema_node *root);

#endif
