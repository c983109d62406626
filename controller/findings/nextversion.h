/*
 * nextversion: the condition ValidOnNextVersion: whether another version of
 * Kubernetes refuses a policy, or fails where it works now. Pure.
 *
 * Its message names the first changes, without a number. It stays the same as long
 * as the changes are the same.
 *
 *     struct versiondiff_report next = {0};        with what that version refuses
 *     nextversion_add(&conditions, &(struct nextversion_input){.minor = 37, ..., .report = &next});
 *     versiondiff_deinit(&next);
 */
#ifndef CONTROLLER_FINDINGS_NEXTVERSION_H
#define CONTROLLER_FINDINGS_NEXTVERSION_H

#include "controller/findings/conditions.h"
#include "controller/findings/versiondiff.h"

struct nextversion_input {
    int minor; /* 1.minor is the other version */
    const struct policyview *policy;
    const struct check_result *result;      /* on the server's version, in scope full */
    const struct check_result *next_result; /* the same on the other; NULL: the server is no older */
    struct versiondiff_report *report;      /* the refusals of the other; failures there are added */
};

/* Adds the condition. */
void nextversion_add(struct conditions *out, const struct nextversion_input *input);

#endif
