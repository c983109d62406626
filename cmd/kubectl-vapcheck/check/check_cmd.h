/*
 * check_cmd: kubectl vapcheck check.
 *
 * Reads policies from files, checks each against a snapshot's schemas and
 * hands what it found to an output format. Exit status: 0 nothing found, 1
 * warnings, 2 the command could not do its work.
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_CHECK_CMD_H
#define CMD_KUBECTL_VAPCHECK_CHECK_CHECK_CMD_H

#include "cmd/kubectl-vapcheck/input/inputs.h"
#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "cmd/kubectl-vapcheck/options.h"

/* All inputs, against the schemas of one cluster or version. */
struct check_request {
    const struct options *options;
    struct schemas *schemas;
    bool is_bundle; /* its discovery is a default one */
    bool is_quiet;  /* errors of files go to the output alone */
    struct output output;
    /* Sees an object before anything is checked, and may change its values; NULL. */
    void (*prepare)(void *user, const struct output_place *place);
    /* Asked before each object is checked: whether nobody waits for the answer any more; NULL. */
    bool (*is_stopped)(void *user);
    void *user;
};

struct check_outcome {
    bool has_findings, has_unchecked;
    bool has_errors; /* what was asked for cannot be read */
};

/* Ends the output. */
struct check_outcome check_inputs(const struct check_request *request, const struct inputs *inputs);

struct manifest;
/* The same of files that were read before, and stay as they are: the first is checked, with what all hold. */
struct check_outcome check_manifest(const struct check_request *request,
                                    const struct manifest *const *manifests, size_t count);

/* Opens what the options name: a cluster, a dump or a bundle. */
int check_open_schemas(const struct options *options, struct schemas **out, struct err *err) MUST_CHECK;

/* The exit status for what was found. */
int check_exit_status(const struct options *options, const struct check_outcome *outcome);

/* Returns the exit status. */
int check_cmd(const struct options *o);

#endif
