/*
 * remarks: the results of tests as remarks at places of files, for the formats that show nothing else: each
 * test that failed, each problem of a suite, what the checker says of a policy, and what no test reached.
 *
 *     struct testreport report_github(const struct testreport_options *options)
 *     {
 *         return remarks_report(options, (struct remarks_format){.add = print});
 *     }
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_REPORT_REMARKS_H
#define CMD_KUBECTL_VAPCHECK_TEST_REPORT_REMARKS_H

#include "client/base/keymap.h"
#include "cmd/kubectl-vapcheck/test/report/testreport.h"
#include "controller/findings/finding.h"

enum remark_kind {
    REMARK_SUITE,   /* a file of a suite cannot be read, or a part of it is wrong */
    REMARK_POLICY,  /* the checker has a finding about a policy */
    REMARK_FAILED,  /* a test failed, or could not be run */
    REMARK_MISSING, /* no test reaches a part of a policy */
    REMARK_KINDS,
};

struct remark {
    enum remark_kind kind;
    enum finding_severity severity; /* error, warning or note */
    const char *file;
    struct yaml_place at;
    const char *title; /* "replicas: too many" */
    const char *text;  /* "expected deny, got admit", and more lines */
};

struct remarks_format {
    void (*add)(void *user, const struct remark *remark);
    /* The last call; frees the user. NULL: there is nothing to do. */
    void (*end)(void *user);
    void *user;
};

struct testreport remarks_report(const struct testreport_options *options, struct remarks_format format);

/* "test-failed". */
const char *remarks_id(enum remark_kind kind);
/* The title and the text in one. The caller frees it. */
char *remarks_text(const struct remark *remark);
/* The fingerprint by which the remark is known again, whatever its text says (fingerprint.h). The caller
 * frees it. */
char *remarks_fingerprint(struct keymap *known, const struct remark *remark);

#endif
