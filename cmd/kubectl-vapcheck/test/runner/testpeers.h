/*
 * testpeers: says where kat or kaptest, for which a test was written, would decide otherwise than the API
 * server does.
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTPEERS_H
#define CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTPEERS_H

#include "cmd/kubectl-vapcheck/test/runner/testevaluation.h"

/* Adds notes to the result. is_met: the outcome is one that the test expects. */
void testpeers_explain(const struct testevaluation *e, bool is_met, struct testresult *out);

#endif
