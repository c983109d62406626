/*
 * serviceupdate: what an API server keeps of a Service in an UPDATE, and what it drops of one whose type
 * changes.
 *
 *     serviceupdate_apply(&arena, service, old);
 */
#ifndef CONTROLLER_APISERVER_DEFAULTS_SERVICEUPDATE_H
#define CONTROLLER_APISERVER_DEFAULTS_SERVICEUPDATE_H

#include <json-c/json.h>

#include "typecheck/text.h"

/* Both as they are read. The arena pays for each pair of ports. */
void serviceupdate_apply(struct arena *a, struct json_object *service, struct json_object *old);

#endif
