/*
 * podresources: sets the requests and limits of a pod as a whole (spec.resources) that an API server computes
 * from those of its containers and those that the pod has. A pod without spec.resources is not changed.
 *
 *     podresources_request(&arena, pod);      up to 1.36
 *     podresources_complete(&arena, pod);     from 1.37 on
 */
#ifndef CONTROLLER_APISERVER_DEFAULTS_PODRESOURCES_H
#define CONTROLLER_APISERVER_DEFAULTS_PODRESOURCES_H

#include <json-c/json.h>

#include "typecheck/text.h"

/* Change the pod in place. The arena only counts the steps: nothing is kept in it. podresources_request sets
 * requests, if the pod has limits; podresources_complete sets requests and limits, if it has either. */
void podresources_request(struct arena *a, struct json_object *pod);
void podresources_complete(struct arena *a, struct json_object *pod);

#endif
