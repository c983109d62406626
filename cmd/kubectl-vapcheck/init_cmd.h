/*
 * init_cmd: kubectl vapcheck init: prints the files with which a repository uses vapcheck, made of what is
 * found below the working directory. It writes no file.
 */
#ifndef CMD_KUBECTL_VAPCHECK_INIT_CMD_H
#define CMD_KUBECTL_VAPCHECK_INIT_CMD_H

#include "cmd/kubectl-vapcheck/options.h"

/* Each name is one of the words of the command (commands.def); without a name all are printed. Returns the
 * exit status. */
int init_cmd(const struct options *options);

#endif
