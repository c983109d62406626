/*
 * check_cmd: the command kubectl vapcheck check, for one version of Kubernetes or several.
 *
 * Exit status: 0 nothing found, 1 warnings, 2 the command could not do its work.
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_CHECK_CMD_H
#define CMD_KUBECTL_VAPCHECK_CHECK_CHECK_CMD_H

#include "cmd/kubectl-vapcheck/options.h"

/* Returns the exit status. */
int check_cmd(const struct options *o);

#endif
