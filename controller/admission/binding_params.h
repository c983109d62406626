/*
 * binding_params: how a ValidatingAdmissionPolicyBinding goes with its policy:
 * paramRef against paramKind. Pure.
 *
 * The API server takes each by itself and finds out when a request comes
 * (k8s.io/apiserver/pkg/admission/plugin/policy/generic, CollectParams). What
 * is reported here goes wrong then for certain. Messages end in a line feed, as
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
