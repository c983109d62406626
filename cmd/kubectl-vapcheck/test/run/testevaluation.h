/*
 * testevaluation: the evaluation of a policy, or of a webhook's match conditions, for a test: the policy and
 * the bindings that the test names, the request, whether they match it, and what the evaluator makes of it.
 *
 *     struct testevaluation e;
 *     if (testevaluation_run(&e, &context, &test, out))
 *         testoutcome_find(&e, out);
 *     testevaluation_deinit(&e);
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_RUN_TESTEVALUATION_H
#define CMD_KUBECTL_VAPCHECK_TEST_RUN_TESTEVALUATION_H

#include "cmd/kubectl-vapcheck/test/run/testcontext.h"
#include "cmd/kubectl-vapcheck/test/run/testmatch.h"

enum testevaluation_end {
    TESTEVALUATION_DONE,
    TESTEVALUATION_UNMATCHED, /* the server does not ask the policy; match.why */
    TESTEVALUATION_FAILED, /* the server cannot decide whether it asks the policy; failed_field, match.why */
};

/* Borrows from the context and the test. */
struct testevaluation {
    const struct testcontext *context;
    const struct testcase *test;
    struct testpolicy *policy;
    const struct testbinding *bindings; /* of the policy; NULL: as if bound with Deny */
    bool is_one_binding;                /* only the first counts */
    struct testrequest request;
    struct testmatch match; /* those that match */
    enum testevaluation_end end;
    const char *failed_field;        /* "spec.paramKind" */
    struct policy_run_result result; /* of an evaluation that is DONE; else empty */
};

/* Counts the test in the policy's coverage. False: the test is broken, and out says why. The caller deinits
 * the evaluation in either case. */
bool testevaluation_run(struct testevaluation *e, const struct testcontext *context,
                        const struct testcase *test, struct testresult *out);
void testevaluation_deinit(struct testevaluation *e);

/* Whether the test is about a MutatingAdmissionPolicy. */
bool testevaluation_is_mutating(const struct testevaluation *e);
/* Whether the test is written for kat, and not for kaptest. */
bool testevaluation_is_kat(const struct testevaluation *e);
/* How many of the bindings that match have the action: "Deny", "Warn", "Audit". */
size_t testevaluation_count_bindings(const struct testevaluation *e, const char *action);

#endif
