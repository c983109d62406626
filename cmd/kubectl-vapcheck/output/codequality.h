/*
 * codequality: an issue of GitLab's reports of code quality, which both check and audit print.
 */
#ifndef CMD_KUBECTL_VAPCHECK_OUTPUT_CODEQUALITY_H
#define CMD_KUBECTL_VAPCHECK_OUTPUT_CODEQUALITY_H

#include <json-c/json.h>

#include "controller/findings/finding.h"

struct codequality_issue {
    const char *check; /* "undefined-field" */
    enum finding_severity severity;
    const char *description, *fingerprint, *path;
    unsigned first_line, last_line; /* 0: not known */
};

/* The caller puts it. */
struct json_object *codequality_issue(const struct codequality_issue *issue);

#endif
