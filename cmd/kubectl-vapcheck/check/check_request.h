/*
 * check_request: the inputs of a run of kubectl vapcheck check, and its
 * outcome.
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_CHECK_REQUEST_H
#define CMD_KUBECTL_VAPCHECK_CHECK_CHECK_REQUEST_H

#include "cmd/kubectl-vapcheck/check/proofs.h"
#include "cmd/kubectl-vapcheck/input/keep.h"
#include "cmd/kubectl-vapcheck/input/schemas.h"
#include "cmd/kubectl-vapcheck/options.h"
#include "cmd/kubectl-vapcheck/output/output.h"

/* All inputs, against the schemas of one cluster or version. */
struct check_request {
    const struct options *options;
    struct schemas *schemas;
    struct keep *keep;     /* of files that are read again and again; NULL: nothing is kept */
    struct proofs *proofs; /* of policies that are checked again and again; NULL: nothing is kept */
    bool is_bundle;        /* its discovery is a default one */
    bool is_quiet;         /* errors of files go to the output alone */
    struct output output;
    /* Called with each object before anything is checked; may change its values. May be NULL. */
    void (*prepare)(void *user, const struct output_place *place);
    /* Called before each object is checked; true if the answer is no longer needed. May be NULL. */
    bool (*is_stopped)(void *user);
    void *user;
};

struct check_outcome {
    bool has_error, has_warning, has_advice; /* findings of this severity */
    bool has_unchecked;
    bool has_nothing; /* there was nothing to check, and that is an error: has_error is set, too */
    bool has_failed;  /* a named input does not exist or cannot be opened */
};

#endif
