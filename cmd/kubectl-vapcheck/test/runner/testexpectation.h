/*
 * testexpectation: compares what the API server answers with what a test expects: the decision, the message,
 * the reason, the warnings, the audit annotations and the mutated object.
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTEXPECTATION_H
#define CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTEXPECTATION_H

#include "cmd/kubectl-vapcheck/test/runner/testevaluation.h"

/* "deny": the expected result, in the words of its suite's format. */
const char *testexpectation_expected(const struct testcase *test);
/* The outcome in the same words; "": there is none. */
const char *testexpectation_actual(const struct testsuite *suite, const struct testresult *result);

/* Returns true if the outcome is one that the test expects. */
bool testexpectation_is_met(const struct testsuite *suite, const struct testcase *test,
                            const struct testresult *result);
/* Compares all but the outcome. The first difference sets the verdict FAILED and says why. */
void testexpectation_compare(const struct testevaluation *e, struct testresult *out);

#endif
