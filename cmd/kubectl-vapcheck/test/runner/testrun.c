#include "cmd/kubectl-vapcheck/test/runner/testrun.h"

#include "cmd/kubectl-vapcheck/test/runner/testexpectation.h"
#include "cmd/kubectl-vapcheck/test/runner/testoutcome.h"
#include "cmd/kubectl-vapcheck/test/runner/testpeers.h"
#include "cmd/kubectl-vapcheck/test/runner/testrules.h"

static void compare(const struct testevaluation *e, struct testresult *out)
{
    const struct testsuite *suite = e->context->suite;
    const bool is_met = testexpectation_is_met(suite, e->test, out);
    out->actual = testexpectation_actual(suite, out);
    testpeers_explain(e, is_met, out);
    if (is_met)
        testexpectation_compare(e, out);
    else
        out->verdict = TESTRESULT_FAILED;
}

static void run_policy(const struct testcontext *context, const struct testcase *test, struct testresult *out)
{
    struct testevaluation e;
    if (testevaluation_run(&e, context, test, out)) {
        testoutcome_find(&e, out);
        compare(&e, out);
        if (out->verdict != TESTRESULT_PASSED)
            testresult_add_values(out, e.policy->trace);
    }
    testevaluation_deinit(&e);
}

void testrun_run(const struct testcontext *context, const struct testcase *test, struct testresult *out)
{
    *out = (struct testresult){.expected = testexpectation_expected(test), .actual = ""};
    if (test->subject == TESTSUBJECT_DEFINITION)
        testrules_run(context, test, out);
    else
        run_policy(context, test, out);
}
