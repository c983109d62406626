/*
 * testevaluation: the API server's answer to the request of a test by the policy or the webhook and the
 * bindings that the test names.
 *
 *     struct testevaluation e;
 *     if (testevaluation_run(&e, &context, &test, out))
 *         testoutcome_find(&e, out);
 *     testevaluation_deinit(&e);
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTEVALUATION_H
#define CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTEVALUATION_H

#include "cmd/kubectl-vapcheck/test/runner/testcontext.h"
#include "controller/apiserver/dispatch/dispatch.h"

/* Borrows from the context and the test. */
struct testevaluation {
    const struct testcontext *context;
    const struct testcase *test;
    struct testpolicy *policy;
    const struct testbinding *bindings; /* of the policy; NULL: as if bound with Deny */
    bool is_one_binding;                /* only the first counts */
    struct testrequest request;
    /* The answer with its evaluations. The events of a mutating policy are the refusals of the request. */
    struct dispatch_answer answer;
};

/* Counts the test in the policy's coverage. Returns false if the test is broken; out then says why. The
 * caller deinits the evaluation in either case. */
bool testevaluation_run(struct testevaluation *e, const struct testcontext *context,
                        const struct testcase *test, struct testresult *out);
void testevaluation_deinit(struct testevaluation *e);

/* Returns true if the test is about a MutatingAdmissionPolicy. */
bool testevaluation_is_mutating(const struct testevaluation *e);
/* Returns true if the test is written for kat, and not for kaptest. */
bool testevaluation_is_kat(const struct testevaluation *e);

#endif
