/*
 * status_cmd: kubectl vapcheck status: a live cluster's policies, one row each.
 *
 * What the conditions say is vapcheck-controller's; without it the table says
 * what kube-controller-manager wrote, and what can be seen from outside: how
 * many types the rules match, and whether a binding names the policy.
 */
#ifndef CMD_KUBECTL_VAPCHECK_STATUS_CMD_H
#define CMD_KUBECTL_VAPCHECK_STATUS_CMD_H

struct options;

/* Returns the exit status: 0, or 2 where the cluster cannot be asked or a named
 * policy is not there. */
int status_cmd(const struct options *o);

#endif
