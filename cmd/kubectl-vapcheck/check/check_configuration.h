/*
 * check_configuration: kubectl vapcheck check of the files that configure an
 * API server's authentication and authorization, and of selectors of devices.
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_CHECK_CONFIGURATION_H
#define CMD_KUBECTL_VAPCHECK_CHECK_CHECK_CONFIGURATION_H

#include "cmd/kubectl-vapcheck/check/checkrun.h"
#include "controller/apiserver/validation/configuration.h"

/* find: finds the refusals of the API server. */
void check_configuration(struct checkrun *run, const struct output_place *place, configuration_find *find);
/* Checks the selectors of a DeviceClass, a ResourceClaim or a ResourceClaimTemplate. */
void check_devices(struct checkrun *run, const struct output_place *place);

#endif
