/*
 * description: what a schema says about a field in words, where a dump, a cluster or a definition has them.
 * The schemas in the program have none.
 *
 *     char *text = description_of_field(document, root, STR("Deployment.spec"), STR("replicas"));
 */
#ifndef CMD_KUBECTL_VAPCHECK_LSP_DESCRIPTION_H
#define CMD_KUBECTL_VAPCHECK_LSP_DESCRIPTION_H

#include <json-c/json.h>

#include "typecheck/base/str.h"

/* The schema of a kind in an OpenAPI document; NULL: it has none. */
struct json_object *description_find_kind(struct json_object *document, struct str group, struct str version,
                                          struct str kind);

/* holder: the type that has the field, as the checker calls it: the way from the root, whatever that is
 * called itself; field: as expressions spell it. document: what references are into; NULL: there are none.
 * NULL: nothing is said. The caller frees it. */
char *description_of_field(struct json_object *document, struct json_object *root, struct str holder,
                           struct str field);

#endif
