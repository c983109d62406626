/*
 * check_binding: checks a binding, and compares it with the policy that it names.
 *
 *     check_binding(run, &place, &run->validating, validation_of_binding);
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_CHECK_BINDING_H
#define CMD_KUBECTL_VAPCHECK_CHECK_CHECK_BINDING_H

#include "cmd/kubectl-vapcheck/check/checkrun.h"
#include "controller/apiserver/validation/validation.h"

/* index: the policies of its kind; find: finds the refusals of the API server. */
void check_binding(struct checkrun *run, const struct output_place *place, const struct policyindex *index,
                   validation_find_binding *find);

#endif
