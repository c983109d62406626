/*
 * podresources: the requests and limits that an API server computes for a pod that names some of its own.
 *
 *     podresources_request(&arena, pod);      up to 1.36
 *     podresources_complete(&arena, pod);     from 1.37 on
 */
#ifndef CONTROLLER_APISERVER_DEFAULTS_PODRESOURCES_H
#define CONTROLLER_APISERVER_DEFAULTS_PODRESOURCES_H

#include <json-c/json.h>

#include "typecheck/text.h"

/* The pod is changed. The arena pays for each container. */
void podresources_request(struct arena *a, struct json_object *pod);
void podresources_complete(struct arena *a, struct json_object *pod);

#endif
