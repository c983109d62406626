/*
 * check_watch: checks again whenever a file changes, for as long as somebody looks.
 *
 * The directories of the inputs are watched, so that new files, and files that an editor replaces, count,
 * too. The screen does not change until the next answer is complete.
 *
 *     status = check_watch(options, check, user);
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_CHECK_WATCH_H
#define CMD_KUBECTL_VAPCHECK_CHECK_CHECK_WATCH_H

#include "cmd/kubectl-vapcheck/options.h"

/* Calls `check` with the inputs now and after each change; it prints to stdout and stderr. Returns 2, with a
 * message on stderr, if the inputs cannot be listed or watched; else it does not return. */
int check_watch(const struct options *options, void (*check)(void *user, const struct inputs *inputs),
                void *user);

#endif
