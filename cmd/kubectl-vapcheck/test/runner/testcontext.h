/*
 * testcontext: the data that all tests of a suite share while they run on one version of Kubernetes.
 *
 *     const struct testcontext context = {&suite, &policies, schemas, &steps_left, &kept};
 *     testrun_run(&context, &suite.cases[0], &result);
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTCONTEXT_H
#define CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTCONTEXT_H

#include <stdint.h>

#include "cmd/kubectl-vapcheck/test/runner/testrequest.h"
#include "cmd/kubectl-vapcheck/test/runner/testresult.h"

/* The work of all tests of one command together, in steps of evaluation; and of a test beside these. */
#define TESTCONTEXT_STEPS      ((uint64_t)20 * 1000 * 1000 * 1000)
#define TESTCONTEXT_TEST_STEPS 1000u

/* All is the caller's. */
struct testcontext {
    const struct testsuite *suite;
    struct testpolicies *policies; /* tests count in their coverage */
    struct schemas *schemas;
    uint64_t *steps_left;
    struct testrequest_kept *kept; /* of the last test */
};

/* Returns true if the steps of one more test are left. Otherwise the test is broken, and out says why. */
bool testcontext_has_steps(const struct testcontext *context, const struct testcase *test,
                           struct testresult *out);
/* Pays for a test of which the evaluation took these steps. */
void testcontext_pay(const struct testcontext *context, uint64_t steps);

/* Returns true if the object fits its schema, where the suite wants that. Otherwise the test is broken, and
 * out says why. */
bool testcontext_check_object(const struct testcontext *context, struct testobject *object,
                              struct testresult *out);
/* The schema of an object's kind; borrowed from the schemas. */
struct policy_run_type testcontext_type(const struct testcontext *context, struct json_object *object);

#endif
