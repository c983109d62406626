/*
 * explain_cmd: kubectl vapcheck explain [ID...]: what findings mean, from the table of
 * controller/check/finding.h.
 */
#ifndef CMD_KUBECTL_VAPCHECK_EXPLAIN_CMD_H
#define CMD_KUBECTL_VAPCHECK_EXPLAIN_CMD_H

struct options;

/* Returns the exit status: 0, or 2 where nothing has such an identifier. */
int explain_cmd(const struct options *o);

#endif
