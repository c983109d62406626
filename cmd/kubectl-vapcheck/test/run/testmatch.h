/*
 * testmatch: which bindings of a policy match a request, by matchConstraints and matchResources, and which
 * params they give the policy.
 *
 *     struct testmatch found;
 *     switch (testmatch_ask(policy, bindings, is_one, &request, schemas, &found)) ...
 *     testmatch_deinit(&found);
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_RUN_TESTMATCH_H
#define CMD_KUBECTL_VAPCHECK_TEST_RUN_TESTMATCH_H

#include "cmd/kubectl-vapcheck/test/run/testpolicies.h"
#include "cmd/kubectl-vapcheck/test/run/testrequest.h"

enum testmatch_answer {
    TESTMATCH_YES,
    TESTMATCH_NO,
    TESTMATCH_FAILED,  /* the server cannot decide, which is an error of the policy */
    TESTMATCH_UNKNOWN, /* we cannot decide */
};

struct testmatch {
    const struct testbinding **bindings; /* those that match; may be none */
    size_t count;
    bool has_null_params; /* testmatch_take_params */
    char *why;            /* unless YES */
};

/* bindings NULL: as if there were a binding that matches everything. is_one: only the first counts. */
enum testmatch_answer testmatch_ask(const struct testpolicy *policy, const struct testbinding *bindings,
                                    bool is_one, const struct testrequest *request, struct schemas *schemas,
                                    struct testmatch *out);
/* Of the bindings, keeps those that give the policy the test's params, or those that give it none
 * (has_null_params). NO: there is none of either. FAILED: the server refuses a paramRef. UNKNOWN: there are
 * both kinds, and a test is evaluated once. To be called after an answer YES, if the policy has a paramKind.
 */
enum testmatch_answer testmatch_take_params(const struct testpolicy *policy,
                                            const struct testrequest *request, const struct testcase *test,
                                            const struct discovery *discovery, struct testmatch *match);
void testmatch_deinit(struct testmatch *match);

#endif
