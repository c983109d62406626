/*
 * testmutation: compares the object that mutations made with the one that a test expects.
 *
 *     struct testmutation differences;
 *     testmutation_compare(&test, result->expected, result->mutated, &differences);
 *     ... differences.items[0]
 *     testmutation_deinit(&differences);
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTMUTATION_H
#define CMD_KUBECTL_VAPCHECK_TEST_RUNNER_TESTMUTATION_H

#include "cmd/kubectl-vapcheck/test/suite/testsuite.h"
#include "typecheck/text.h"

struct testmutation {
    char **items; /* "spec.replicas: expected 5, got 3"; the first ones */
    size_t n_items, count;
};

/* Both as JSON. The name of the expected object counts if the test says so. */
void testmutation_compare(const struct testcase *test, struct str expected, struct str actual,
                          struct testmutation *out);
void testmutation_deinit(struct testmutation *differences);

#endif
