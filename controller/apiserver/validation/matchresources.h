/*
 * matchresources: the objections of an API server to the matchConstraints of a
 * policy and the matchResources of a binding, at create. Pure.
 *
 * (k8s.io/kubernetes/pkg/apis/admissionregistration/validation) The server
 * sets defaults first; here absent fields count as set to their defaults.
 */
#ifndef CONTROLLER_APISERVER_VALIDATION_MATCHRESOURCES_H
#define CONTROLLER_APISERVER_VALIDATION_MATCHRESOURCES_H

#include <json-c/json.h>

#include "controller/apiserver/validation/fielderrors.h"

/* `at` is the field. NULL is fine, and has no faults. */
void matchresources_check(struct json_object *resources, const char *at, struct fielderrors *errors);

/* Checks a rule of one of these, or of a webhook. */
void matchresources_check_rule(struct json_object *rule, const char *at, struct fielderrors *errors);

#endif
