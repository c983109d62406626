/*
 * testmatch: which bindings of a policy match a request, by matchConstraints and matchResources.
 *
 *     struct testmatch found;
 *     switch (testmatch_ask(policy, bindings, is_one, &request, &test, &found)) ...
 *     testmatch_deinit(&found);
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_TESTMATCH_H
#define CMD_KUBECTL_VAPCHECK_TEST_TESTMATCH_H

#include "cmd/kubectl-vapcheck/test/testpolicies.h"
#include "cmd/kubectl-vapcheck/test/testrequest.h"

enum testmatch_answer {
    TESTMATCH_YES,
    TESTMATCH_NO,
    TESTMATCH_FAILED,  /* the server cannot decide, which is an error of the policy */
    TESTMATCH_UNKNOWN, /* we cannot decide */
};

struct testmatch {
    const struct testbinding **bindings; /* those that match; may be none */
    size_t count;
    char *why; /* unless YES */
};

/* bindings NULL: as if there were a binding that matches everything. is_one: only the first counts. */
enum testmatch_answer testmatch_ask(const struct testpolicy *policy, const struct testbinding *bindings,
                                    bool is_one, const struct testrequest *request,
                                    const struct testcase *test, struct schemas *schemas,
                                    struct testmatch *out);
void testmatch_deinit(struct testmatch *match);

#endif
