/*
 * versions_output: the findings of several versions of Kubernetes in one output: each finding once, with the
 * versions that have it.
 *
 * The versions are checked one after the other. All but the last are kept in memory; while the last is
 * checked, the findings of all go to the output.
 *
 *     struct versions_output *all = versions_output_new(output, names, count);
 *     for (size_t i = 0; i < count; i++)
 *         check_inputs(&(struct check_request){.output = versions_output_next(all), ...}, inputs);
 *     versions_output_free(all);
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_VERSIONS_OUTPUT_H
#define CMD_KUBECTL_VAPCHECK_CHECK_VERSIONS_OUTPUT_H

#include "cmd/kubectl-vapcheck/output/output.h"

/* The most versions, which are bits of a number. */
enum { VERSIONS_OUTPUT_MAX = 32 };

struct versions_output;

/* names: "1.36", borrowed, in their order; at most VERSIONS_OUTPUT_MAX. The output ends with the last
 * version. */
struct versions_output *versions_output_new(const struct output *output, const char *const *names,
                                            size_t count);
void versions_output_free(struct versions_output *all);
/* The output that takes the findings of the next version. */
struct output versions_output_next(struct versions_output *all);

#endif
