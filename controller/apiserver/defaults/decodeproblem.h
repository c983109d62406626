/*
 * decodeproblem: finds a value that an API server cannot read into the type of its field.
 *
 *     char *problem = decodeproblem_find(&arena, &type, object);      "spec.replicas is a string, and must be
 * ..."
 */
#ifndef CONTROLLER_APISERVER_DEFAULTS_DECODEPROBLEM_H
#define CONTROLLER_APISERVER_DEFAULTS_DECODEPROBLEM_H

#include <json-c/json.h>

#include "typecheck/decision.h"
#include "typecheck/text.h"

/* The first one; the caller frees it. Returns NULL if there is none. The arena pays for each value. */
char *decodeproblem_find(struct arena *a, const struct policy_run_type *type, struct json_object *object);

#endif
