/* test_cmd: kubectl vapcheck test: runs tests of policies without a cluster. */
#ifndef CMD_KUBECTL_VAPCHECK_TEST_TEST_CMD_H
#define CMD_KUBECTL_VAPCHECK_TEST_TEST_CMD_H

/* argv[0] is "test". Returns the exit status. */
int test_cmd(int argc, char **argv);

#endif
