/*
 * liveobjects: the objects of a live cluster that carry admission CEL, as inputs.
 *
 * Each is the text that kubectl get -o yaml prints, without fields that only the
 * server needs. Its name is that of the resource and the object:
 * "validatingadmissionpolicies/replicas".
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_LIVEOBJECTS_H
#define CMD_KUBECTL_VAPCHECK_INPUT_LIVEOBJECTS_H

#include "client/auth/config_source.h"
#include "client/base/err.h"
#include "cmd/kubectl-vapcheck/input/inputs.h"

/* Policies, webhook configurations, mutating policies, all bindings and CustomResourceDefinitions; kinds that
 * the server does not serve are left out. Errors: as remote_get; the message names the list. */
int liveobjects_add(const struct config_source *source, struct inputs *inputs, struct err *err) MUST_CHECK;

#endif
