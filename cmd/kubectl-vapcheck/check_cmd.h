/*
 * check_cmd: kubectl vapcheck check.
 *
 * Reads policies from files, checks each against a snapshot's schemas and
 * hands what it found to an output format. Exit status: 0 nothing found, 1
 * warnings, 2 the command could not do its work.
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_CMD_H
#define CMD_KUBECTL_VAPCHECK_CHECK_CMD_H

/* argv[0] is "check". Returns the exit status. */
int check_cmd(int argc, char **argv);

#endif
