/*
 * description: the description of a field in a schema. A dump, a cluster and a definition have descriptions;
 * the schemas in the program have none.
 *
 *     char *text = description_of_field(document, root, STR("Deployment.spec"), STR("replicas"));
 */
#ifndef CMD_KUBECTL_VAPCHECK_LSP_DESCRIPTION_H
#define CMD_KUBECTL_VAPCHECK_LSP_DESCRIPTION_H

#include <json-c/json.h>

#include "typecheck/text.h"

/* The schema of a kind in an OpenAPI document; NULL if it has none. */
struct json_object *description_find_kind(struct json_object *document, struct str group, struct str version,
                                          struct str kind);

/* The description of a field; NULL: there is none. The caller frees it. holder: the checker's name of the
 * type that has the field, a path from the root; the root's own name does not matter. field: as expressions
 * spell it. document: where $ref leads; NULL: there are no references. */
char *description_of_field(struct json_object *document, struct json_object *root, struct str holder,
                           struct str field);

#endif
