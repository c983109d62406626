/*
 * testrun: runs a test of a suite: of a policy, of a webhook's match conditions, or of a definition's rules.
 *
 *     struct testresult result;
 *     testrun_run(&context, &test, &result);
 *     testresult_deinit(&result);
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTRUN_H
#define CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTRUN_H

#include "cmd/kubectl-vapcheck/test/runner/testcontext.h"

/* The caller frees the result with testresult_deinit. The result refers to the test's suite and policies,
 * which must outlive it. */
void testrun_run(const struct testcontext *context, const struct testcase *test, struct testresult *out);

#endif
