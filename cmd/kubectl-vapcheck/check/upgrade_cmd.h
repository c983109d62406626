/*
 * upgrade_cmd: kubectl vapcheck upgrade: the changes that another version of
 * Kubernetes makes for each object.
 *
 * Everything is checked as both versions do, and the two reports are compared
 * (controller/findings/versiondiff.h). Other spellings of what breaks are then
 * checked on both versions, too, and those that are clean are offered.
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_UPGRADE_CMD_H
#define CMD_KUBECTL_VAPCHECK_CHECK_UPGRADE_CMD_H

struct options;

/* Returns the exit status. */
int upgrade_cmd(const struct options *o);

#endif
