/*
 * testreport: prints the results of tests; each format is one implementation.
 *
 * Its functions are called suite by suite; for several versions of Kubernetes each suite comes once for each.
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_REPORT_TESTREPORT_H
#define CMD_KUBECTL_VAPCHECK_TEST_REPORT_TESTREPORT_H

#include "cmd/kubectl-vapcheck/output/style.h"
#include "cmd/kubectl-vapcheck/test/runner/testresult.h"

struct testreport_totals {
    size_t suites, tests, passed, failed, broken;
    size_t problems;            /* files, or places in files, that cannot be read */
    size_t covered, uncovered;  /* expressions of match conditions and validations */
    size_t branches, unreached; /* of expressions that a test reached; branches include unreached ones */
};

/* Something that no test reached. */
struct testreport_gap {
    const struct testpolicy *policy;
    const char *field; /* "spec.validations[0].expression" */
    struct yaml_place at;
    const char *text;   /* "no test makes it false" */
    const char *branch; /* the part of the expression; NULL: the whole */
};

struct testreport {
    /* A problem of a suite's files, which does not depend on the version. */
    void (*problem)(void *user, const struct testproblem *problem);
    /* The next results are of this suite. version: "1.36". */
    void (*suite)(void *user, const struct testsuite *suite, const char *version);
    void (*finding)(void *user, const struct testfinding *finding);
    void (*result)(void *user, const struct testcase *test, const struct testresult *result);
    void (*gap)(void *user, const struct testreport_gap *gap);
    /* The last call; frees the user. */
    void (*end)(void *user, const struct testreport_totals *totals);
    void *user;
};

struct testreport_options {
    bool has_versions; /* more than one: names them */
    bool has_coverage; /* wants the gaps */
    bool is_verbose;   /* wants the tests that passed */
    struct style style;
    const char *schemas; /* their origin: "bundle", "directory", "cluster" */
};

typedef struct testreport testreport_make(const struct testreport_options *options);
testreport_make report_text, report_json, report_sarif, report_junit, report_github, report_gitlab;

/* "expected deny, got admit", or why it could not be run. The caller frees it. */
char *testreport_headline(const struct testresult *result);
/* The place of the test, or of what is wrong with it. */
struct testplace testreport_place(const struct testcase *test, const struct testresult *result);
/* "object.spec.replicas is 6". The caller frees it. */
char *testreport_value(const struct testresult_value *value);
/* "spec.validations[0].expression is false: message". The caller frees it. */
char *testreport_part(const struct testresult_part *part);

#endif
