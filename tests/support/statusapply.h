/*
 * statusapply: server-side apply to /status, for one manager: conditions merge
 * by type, what it applied before and leaves out now goes away, managedFields
 * say what it owns. Who wins over whom is a real server's matter.
 */
#ifndef SUPPORT_STATUSAPPLY_H
#define SUPPORT_STATUSAPPLY_H

#include <json-c/json.h>

#include "tests/support/objects.h"

/* The object's next version, equal to the stored one where nothing changed; the caller puts it.
 * NULL: the reply holds the refusal (preconditions, another manager). */
struct json_object *statusapply(struct json_object *stored, struct json_object *body,
                                const struct objects_kind *kind, const char *manager, struct reply *reply);

#endif
