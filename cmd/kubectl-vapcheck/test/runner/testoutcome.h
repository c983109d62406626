/*
 * testoutcome: the API server's answer to the request of a test, and the expressions that decide it.
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTOUTCOME_H
#define CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTOUTCOME_H

#include "cmd/kubectl-vapcheck/test/runner/testevaluation.h"

/* Sets the outcome, whether the request is refused, and the parts. */
void testoutcome_find(const struct testevaluation *e, struct testresult *out);

#endif
