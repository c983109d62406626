/*
 * status_cmd: kubectl vapcheck status: a live cluster's policies, one row each.
 *
 * vapcheck-controller writes the conditions. Without it the table shows what
 * kube-controller-manager wrote, and what can be seen from outside: how many
 * types the rules match, and whether a binding names the policy.
 */
#ifndef CMD_KUBECTL_VAPCHECK_STATUS_CMD_H
#define CMD_KUBECTL_VAPCHECK_STATUS_CMD_H

struct options;

/* Returns the exit status: 0, or 2 if the cluster cannot be read or a named
 * policy does not exist. */
int status_cmd(const struct options *o);

#endif
