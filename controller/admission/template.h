/*
 * template: what Gatekeeper's engine K8sNativeValidation makes of the expressions of a ConstraintTemplate.
 * Pure.
 *
 * (open-policy-agent/gatekeeper, pkg/drivers/k8scel) Gatekeeper evaluates the expressions itself, with the
 * libraries of an API server, and says of none that it does not compile: requests fail. Objects are dyn,
 * since constraints say which kinds they are about.
 *
 *     struct fielderrors faults = {.minor = minor};
 *     template_check(json, env, &faults);
 *     fielderrors_deinit(&faults);
 */
#ifndef CONTROLLER_ADMISSION_TEMPLATE_H
#define CONTROLLER_ADMISSION_TEMPLATE_H

#include <json-c/json.h>
#include <stdbool.h>

#include "controller/field/fielderrors.h"
#include "typecheck/types/env.h"

/* Whether it is a ConstraintTemplate with that engine. */
bool template_is_checked(struct json_object *object);

/* env: that of stored expressions. The first words of a fault say what it is; a compiler's answer follows. */
void template_check(struct json_object *object, const struct env *env, struct fielderrors *faults);

#endif
