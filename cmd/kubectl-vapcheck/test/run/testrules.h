/*
 * testrules: runs a test of the rules (x-kubernetes-validations) of a CustomResourceDefinition.
 *
 *     struct testresult result;
 *     testrules_run(&context, &test, &result);
 *     testresult_deinit(&result);
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_RUN_TESTRULES_H
#define CMD_KUBECTL_VAPCHECK_TEST_RUN_TESTRULES_H

#include "cmd/kubectl-vapcheck/test/run/testresult.h"

/* As testresult_run. */
void testrules_run(const struct testresult_context *context, const struct testcase *test,
                   struct testresult *out);

#endif
