/*
 * check_template: kubectl vapcheck check of a ConstraintTemplate of Gatekeeper.
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_CHECK_TEMPLATE_H
#define CMD_KUBECTL_VAPCHECK_CHECK_CHECK_TEMPLATE_H

#include "cmd/kubectl-vapcheck/check/checkrun.h"

void check_template(struct checkrun *run, const struct output_place *place);

#endif
