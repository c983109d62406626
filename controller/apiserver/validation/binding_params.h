/*
 * binding_params: whether the paramRef of a ValidatingAdmissionPolicyBinding fits the paramKind of its
 * policy. Pure.
 *
 * The API server accepts a binding that does not fit. Only when a request comes, it
 * fails (k8s.io/apiserver/pkg/admission/plugin/policy/generic, CollectParams).
 * Everything that is reported here fails then for certain. Messages end in a line
 * feed, as those about expressions do.
 *
 *     struct fielderrors warnings = {0};
 *     binding_params_run(binding, policy, discovery, &warnings);
 */
#ifndef CONTROLLER_APISERVER_VALIDATION_BINDING_PARAMS_H
#define CONTROLLER_APISERVER_VALIDATION_BINDING_PARAMS_H

#include <json-c/json.h>

#include "client/discovery/discovery.h"
#include "controller/apiserver/validation/fielderrors.h"
#include "controller/match/policyview.h"

/* The binding must name the policy. The fields of warnings are fields of the binding. */
void binding_params_run(struct json_object *binding, const struct policyview *policy,
                        const struct discovery *discovery, struct fielderrors *warnings);

#endif
