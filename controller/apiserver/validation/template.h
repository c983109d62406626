/*
 * template: checks the expressions of a ConstraintTemplate as Gatekeeper's engine K8sNativeValidation
 * evaluates them. Pure.
 *
 * (open-policy-agent/gatekeeper, pkg/drivers/k8scel) Gatekeeper evaluates the expressions itself, with the
 * libraries of an API server. It does not report an expression that does not compile; requests fail instead.
 * Objects are of type dyn, since only constraints name kinds.
 *
 *     struct fielderrors faults = {.minor = minor};
 *     template_check(json, env, &faults);
 *     fielderrors_deinit(&faults);
 */
#ifndef CONTROLLER_APISERVER_VALIDATION_TEMPLATE_H
#define CONTROLLER_APISERVER_VALIDATION_TEMPLATE_H

#include <json-c/json.h>
#include <stdbool.h>

#include "controller/apiserver/validation/fielderrors.h"
#include "typecheck/version.h"

/* Returns true if the object is a ConstraintTemplate with that engine. */
bool template_is_checked(struct json_object *object);

/* env: the one for stored expressions. A fault begins with what is wrong; the compiler's message follows. */
void template_check(struct json_object *object, const struct env *env, struct fielderrors *faults);

#endif
