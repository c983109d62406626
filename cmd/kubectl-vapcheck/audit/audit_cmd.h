/*
 * audit_cmd: kubectl vapcheck audit.
 *
 * Evaluates policies on objects of files or of a cluster, object by object; of a
 * cluster one page of a list is held at a time. Reads only. Exit status: 0 nothing
 * found, 1 findings, 2 the command could not do its work.
 */
#ifndef CMD_KUBECTL_VAPCHECK_AUDIT_AUDIT_CMD_H
#define CMD_KUBECTL_VAPCHECK_AUDIT_AUDIT_CMD_H

struct options;

/* Returns the exit status. */
int audit_cmd(const struct options *o);

#endif
