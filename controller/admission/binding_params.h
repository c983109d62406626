/*
 * binding_params: whether the paramRef of a ValidatingAdmissionPolicyBinding fits the paramKind of its
 * policy. Pure.
 *
 * The API server accepts a binding that does not fit, and fails only when a
 * request comes (k8s.io/apiserver/pkg/admission/plugin/policy/generic,
 * CollectParams). What is reported here certainly fails then. Messages end in a line feed, as
 * those about expressions do.
 *
 *     struct fielderrors warnings = {0};
 *     binding_params_run(binding, policy, discovery, &warnings);
 */
#ifndef CONTROLLER_ADMISSION_BINDING_PARAMS_H
#define CONTROLLER_ADMISSION_BINDING_PARAMS_H

#include <json-c/json.h>

#include "client/discovery/discovery.h"
#include "controller/field/fielderrors.h"
#include "controller/policy/policyview.h"

/* The binding names the policy. A field of a warning is the binding's. */
void binding_params_run(struct json_object *binding, const struct policyview *policy,
                        const struct discovery *discovery, struct fielderrors *warnings);

#endif
