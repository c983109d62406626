/*
 * testauthorizer: reads the answers of `authorizer` in a test, a list of rows:
 *
 *     authorizer:
 *     - {group: apps, resource: deployments, verb: delete, namespace: shop, decision: allow}
 *     - {verb: delete, decision: deny, reason: nobody deletes}
 *
 * A row answers a question if each member of the row is equal to that of the question. The first such row
 * counts; without one, the question is not allowed. In kat's rows the group, the resource, the subresource,
 * the namespace and the verb always count: a member that a row leaves out is the empty text.
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_SUITE_TESTAUTHORIZER_H
#define CMD_KUBECTL_VAPCHECK_TEST_SUITE_TESTAUTHORIZER_H

#include "cmd/kubectl-vapcheck/test/suite/testsuite.h"

/* Reads the rows. An error in them becomes the problem of the test. file: the file of the list. */
void testauthorizer_read(const struct testsuite *suite, const char *file, const struct yaml_node *list,
                         struct testcase *out);

#endif
