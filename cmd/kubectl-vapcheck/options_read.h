/*
 * options_read: reads a command line of kubectl vapcheck, and the file .vapcheck.yaml.
 *
 *     struct options o;
 *     int answer = options_read("check", argc, argv, &o);
 *     ... options_deinit(&o);
 */
#ifndef CMD_KUBECTL_VAPCHECK_OPTIONS_READ_H
#define CMD_KUBECTL_VAPCHECK_OPTIONS_READ_H

#include "client/base/err.h"
#include "cmd/kubectl-vapcheck/options.h"

/* Returns 0 to go on, 1 when --help was served, -1 for bad flags, reported on stderr.
 * The caller ends with options_deinit, whatever the answer. */
int options_read(const char *command, int argc, char **argv, struct options *out);

/* Applies .vapcheck.yaml, and checks whether all options fit together, for lsp, whose client names the
 * working directory only later. */
int options_configure(struct options *options, struct err *err) MUST_CHECK;

#endif
