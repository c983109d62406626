/*
 * remedy: says what to do about each finding, in a line after its underline. Pure.
 *
 * A correction that is proved changes an expression at several places: each finding has the change that
 * is nearest to it. If nothing is proved, it has the words of the hint.
 *
 *     fix: spec.replicas
 *     fix: request.operation == 'DELETE' || ...
 *     did you mean 'retention'?
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_REMEDY_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_REMEDY_H

#include "cmd/kubectl-vapcheck/output/found.h"

/* Puts the remedies of a list that has none. */
void remedy_put(struct found *found, const struct output_place *place);

#endif
