/*
 * labelkeys: the label keys in the affinities and in the spreading of a pod, which an API server turns into
 * expressions about the pod's own labels.
 *
 *     labelkeys_apply_affinity(&arena, pod);
 *     labelkeys_apply_spread(&arena, pod);
 */
#ifndef CONTROLLER_APISERVER_DEFAULTS_LABELKEYS_H
#define CONTROLLER_APISERVER_DEFAULTS_LABELKEYS_H

#include <json-c/json.h>

#include "typecheck/text.h"

/* The pod is changed. The arena pays for each key. */
void labelkeys_apply_affinity(struct arena *a, struct json_object *pod);
void labelkeys_apply_spread(struct arena *a, struct json_object *pod);

#endif
