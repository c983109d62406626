/*
 * testauthorizer: what `authorizer` answers in a test, as a list of rows:
 *
 *     authorizer:
 *     - {group: apps, resource: deployments, verb: delete, namespace: shop, decision: allow}
 *     - {verb: delete, decision: deny, reason: nobody deletes}
 *
 * The first row that contradicts nothing in a question answers it. What no row answers is not allowed. kat's
 * rows name the group, the resource, the subresource, the namespace and the verb of a question; one that a
 * row leaves out is then the empty text, not any.
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_TESTAUTHORIZER_H
#define CMD_KUBECTL_VAPCHECK_TEST_TESTAUTHORIZER_H

#include "cmd/kubectl-vapcheck/test/testsuite.h"

/* What is wrong with the rows, the test says then. file: where the list stands. */
void testauthorizer_read(const struct testsuite *suite, const char *file, const struct yaml_node *list,
                         struct testcase *out);

#endif
