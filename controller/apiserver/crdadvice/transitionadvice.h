/*
 * transitionadvice: transition rules that setting or removing their field passes: `self == oldSelf` of an
 * optional field is not evaluated where the old or the new object has no such field. Pure.
 *
 *     transitionadvice_find(&rule, json);
 */
#ifndef CONTROLLER_APISERVER_CRDADVICE_TRANSITIONADVICE_H
#define CONTROLLER_APISERVER_CRDADVICE_TRANSITIONADVICE_H

#include <json-c/json.h>

#include "controller/apiserver/crdadvice/advicerule.h"

/* Adds what is found in the rule, whose reads were read. json: the rule in the definition, with its
 * message. */
void transitionadvice_find(const struct advicerule *rule, struct json_object *json);

#endif
