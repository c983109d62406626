/*
 * explain_cmd: kubectl vapcheck explain [ID...]: the meaning of findings, from the table of
 * controller/findings/finding.h.
 */
#ifndef CMD_KUBECTL_VAPCHECK_EXPLAIN_CMD_H
#define CMD_KUBECTL_VAPCHECK_EXPLAIN_CMD_H

struct options;

/* Returns the exit status: 0, or 2 if an identifier does not exist. */
int explain_cmd(const struct options *o);

#endif
