/*
 * check_inputs: reads objects from files, checks each against the schemas of one cluster or version, and
 * hands what it found to an output format. It serves kubectl vapcheck check, and the commands that check as
 * it does.
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_CHECK_INPUTS_H
#define CMD_KUBECTL_VAPCHECK_CHECK_CHECK_INPUTS_H

#include "cmd/kubectl-vapcheck/check/check_request.h"
#include "cmd/kubectl-vapcheck/input/inputs.h"

struct manifest;

/* Checks all inputs, and ends the output. */
struct check_outcome check_inputs(const struct check_request *request, const struct inputs *inputs);

/* The same for files that are read already and stay unchanged. Only the first is checked, with the
 * definitions and policies of all. */
struct check_outcome check_manifest(const struct check_request *request,
                                    const struct manifest *const *manifests, size_t count);

/* The files that the options name, or the objects of the cluster. The caller deinits the inputs, also after
 * an error. Errors: as liveobjects_add and changed_mark. */
int check_open_inputs(const struct options *options, struct inputs *inputs, struct err *err) MUST_CHECK;

/* Opens what the options name: a cluster, a dump or a bundle. */
int check_open_schemas(const struct options *options, struct schemas **out, struct err *err) MUST_CHECK;

/* Adds the outcome of one run to that of all. */
void check_add_outcome(struct check_outcome *all, const struct check_outcome *one);
/* The exit status for what was found: 0, 1, or 2 if the command could not do its work. */
int check_exit_status(const struct options *options, const struct check_outcome *outcome);

#endif
