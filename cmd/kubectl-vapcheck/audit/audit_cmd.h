/*
 * audit_cmd: kubectl vapcheck audit.
 *
 * Evaluates policies on objects of files or of a cluster, one object after the
 * other. Of a cluster it holds one page of a list at a time. It only reads. Exit status: 0 nothing
 * found, 1 findings, 2 the command could not do its work.
 */
#ifndef CMD_KUBECTL_VAPCHECK_AUDIT_AUDIT_CMD_H
#define CMD_KUBECTL_VAPCHECK_AUDIT_AUDIT_CMD_H

struct options;

/* Returns the exit status. */
int audit_cmd(const struct options *o);

#endif
