/*
 * dump_cmd: kubectl vapcheck dump DIR.
 *
 * Writes a cluster's version, discovery and OpenAPI v3 documents to a
 * directory that --schemas takes: the URL path of each document plus ".json".
 */
#ifndef CMD_KUBECTL_VAPCHECK_DUMP_CMD_H
#define CMD_KUBECTL_VAPCHECK_DUMP_CMD_H

struct options;

/* Returns the exit status: 0, or 2 when the dump is not whole. */
int dump_cmd(const struct options *o);

#endif
