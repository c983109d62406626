/*
 * crd_cmd: kubectl vapcheck crd --cost.
 *
 * Reads CustomResourceDefinitions from files, and says what the API server estimates that each of their rules
 * costs, on each version of Kubernetes that is asked for.
 */
#ifndef CMD_KUBECTL_VAPCHECK_CRD_CMD_H
#define CMD_KUBECTL_VAPCHECK_CRD_CMD_H

struct options;

/* Returns the exit status: 0, 1 where a cost is over its limit, or 2. */
int crd_cmd(const struct options *o);

#endif
