/*
 * sent_object: completes an object that a client sends, so that it is as the API server gives it to policies.
 *
 * An object of a built-in kind becomes what Go writes for its struct: with fields that are never omitted (a
 * container has `resources`), without those that are not known or are empty, with quantities in canonical
 * form, and with the defaults of the schema. Defaults that only the code of the API server sets (a
 * Deployment's replicas) are in no schema, and are not set. A custom resource is pruned, and gets the
 * defaults of its schema.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_SENT_OBJECT_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_SENT_OBJECT_H

#include "typecheck/cel/interpreter/values/value.h"

struct schema;
struct schema_node;

/* root: of the kind, in its document. A value that does not fit the schema is not changed. The result lies in
 * the arena, and shares unchanged parts with json, which must live as long. Returns NULL if a default is
 * unknown, because the document has more defaults than its reader keeps. */
const struct value *sent_object_complete(struct arena *a, const struct value *json, const struct schema *doc,
                                         const struct schema_node *root);

#endif
