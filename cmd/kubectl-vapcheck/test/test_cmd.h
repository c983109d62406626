/*
 * test_cmd: the command kubectl vapcheck test, which runs tests of policies without a cluster.
 */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_TEST_CMD_H
#define CMD_KUBECTL_VAPCHECK_TEST_TEST_CMD_H

struct options;

/* Returns the exit status. */
int test_cmd(const struct options *o);

#endif
