/*
 * kat: reads test suites in the folders of kat (github.com/zemanlx/kat).
 *
 * A folder with policy and binding files has a folder `tests` below it. A test is all its files of one name
 * without the ending: my-policy.bad-pod.deny.object.yaml, .oldObject.yaml, .request.yaml, .params.yaml,
 * .message.txt, .warnings.txt, .annotations.yaml, .authorizer.yaml, .gold.yaml. The name says which policy is
 * meant, and whether the request is denied; .gold.yaml is what a MutatingAdmissionPolicy makes of the object.
 *
 *     char *folder, *test;
 *     if (kat_is_test(path, &folder, &test)) ... kat_add_test(&suite, test)
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_SUITE_KAT_H
#define CMD_KUBECTL_VAPCHECK_TEST_SUITE_KAT_H

#include <stdbool.h>

#include "cmd/kubectl-vapcheck/test/suite/testsuite.h"

/* Returns true if the path is by its name a file of a test. Then *folder is the folder of its suite and *test
 * the name of the test; the caller frees both. */
bool kat_is_test(const char *path, char **folder, char **test);

/* Opens the folder's policies, bindings and definitions. The caller deinits the suite. */
void kat_open(const char *folder, struct testsuite *suite);
void kat_add_test(struct testsuite *suite, const char *test);

#endif
