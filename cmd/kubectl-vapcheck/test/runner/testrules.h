/*
 * testrules: runs a test of the rules (x-kubernetes-validations) of a CustomResourceDefinition.
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTRULES_H
#define CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTRULES_H

#include "cmd/kubectl-vapcheck/test/runner/testcontext.h"

/* Runs the rules of a test for testrun_run, which sets the expected result. */
void testrules_run(const struct testcontext *context, const struct testcase *test, struct testresult *out);

#endif
