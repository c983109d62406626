/*
 * check_request: what kubectl vapcheck check is to check, and what became of it.
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_CHECK_REQUEST_H
#define CMD_KUBECTL_VAPCHECK_CHECK_CHECK_REQUEST_H

#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "cmd/kubectl-vapcheck/options.h"
#include "cmd/kubectl-vapcheck/output/output.h"

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

#endif
