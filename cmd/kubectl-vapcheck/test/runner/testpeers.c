#include "cmd/kubectl-vapcheck/test/runner/testpeers.h"

#include "client/base/mem.h"

static void explain_error(const struct testevaluation *e, struct testresult *out)
{
    const char *policy = dispatch_policy(e->policy->dispatch)->ignores_failures ? "Ignore" : "Fail";
    if (testevaluation_is_kat(e)) {
        testresult_note(out, mem_printf("the evaluation ends in an error, and the API server then %s the "
                                        "request (failurePolicy: %s)",
                                        out->is_refused ? "denies" : "admits", policy));
        testresult_note_peer(out, mem_strdup("kat reports an error, and no decision"));
    } else if (e->test->expect == TESTEXPECT_ERROR)
        testresult_note(out, mem_printf("in a cluster the request is %s (failurePolicy: %s)",
                                        out->is_refused ? "denied" : "admitted", policy));
}

/* kat looks at the namespaceSelector of a binding alone, kaptest at nothing. */
void testpeers_explain(const struct testevaluation *e, bool is_met, struct testresult *out)
{
    if (out->outcome == TESTRESULT_ERROR)
        explain_error(e, out);
    if (testevaluation_is_mutating(e) && e->test->object == NULL && out->outcome == TESTRESULT_SKIPPED)
        testresult_note(
            out, mem_strdup("there is no object to change: the API server does not evaluate the mutations, "
                            "and admits the request"));
    else if (e->test->subject == TESTSUBJECT_WEBHOOK) /* of which neither of them knows */
        return;
    else if (out->outcome == TESTRESULT_UNMATCHED && (!is_met || e->test->expect == TESTEXPECT_ADMIT))
        testresult_note_peer(
            out, mem_printf("the API server does not ask the policy, and admits the request; %s evaluates it",
                            testevaluation_is_kat(e) ? "kat, which looks at the namespaceSelector of a "
                                                       "binding alone,"
                                                     : "kaptest"));
}
