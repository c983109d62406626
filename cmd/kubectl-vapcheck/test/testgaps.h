/*
 * testgaps: reports what no test of a suite reached: match conditions and validations that were never true or
 * never false, mutations that were never evaluated, branches of expressions, rules of definitions.
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_TESTGAPS_H
#define CMD_KUBECTL_VAPCHECK_TEST_TESTGAPS_H

#include "cmd/kubectl-vapcheck/test/report/testreport.h"

/* Reports the gaps, after the last test of the policy. Counts in the totals. */
void testgaps_report(const struct testpolicy *policy, const struct testreport *report,
                     struct testreport_totals *totals);

#endif
