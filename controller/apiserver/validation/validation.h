/*
 * validation: the answer of an API server to the creation of a policy, a binding
 * or a webhook configuration, in its own words. Pure.
 *
 * Fields and messages are those of the causes of its answer (422), or the
 * whole message if it cannot decode the object (400).
 * (k8s.io/kubernetes/pkg/apis/admissionregistration/validation)
 *
 *     struct fielderrors refusals = {0};
 *     validation_of_policy(json, env, &refusals);
 *     fielderrors_deinit(&refusals);
 */
#ifndef CONTROLLER_APISERVER_VALIDATION_VALIDATION_H
#define CONTROLLER_APISERVER_VALIDATION_VALIDATION_H

#include <json-c/json.h>

#include "controller/apiserver/validation/fielderrors.h"
#include "typecheck/version.h"

typedef void validation_find(struct json_object *object, const struct env *env, struct fielderrors *out);
typedef void validation_find_binding(struct json_object *binding, struct fielderrors *out);

/* env: the one for new expressions, which has fewer functions than the one for stored expressions.
 * out->minor: the version whose messages are used. */
void validation_of_policy(struct json_object *policy, const struct env *env, struct fielderrors *out);
void validation_of_binding(struct json_object *binding, struct fielderrors *out);

/* validation_mutating.c: MutatingAdmissionPolicy and its binding. */
void validation_of_mutating_policy(struct json_object *policy, const struct env *env,
                                   struct fielderrors *out);
void validation_of_mutating_binding(struct json_object *binding, struct fielderrors *out);

/* validation_webhooks.c: ValidatingWebhookConfiguration, MutatingWebhookConfiguration. */
void validation_of_webhooks(struct json_object *configuration, const struct env *env,
                            struct fielderrors *out);

#endif
