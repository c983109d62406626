/*
 * versions_check: kubectl vapcheck check --kube-version 1.30-1.37: each object
 * on each version, as one table.
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_VERSIONS_CHECK_H
#define CMD_KUBECTL_VAPCHECK_CHECK_VERSIONS_CHECK_H

#include "cmd/kubectl-vapcheck/options.h"
#include "cmd/kubectl-vapcheck/output/output.h"

/* Returns the exit status. */
/* make: of the format. */
int versions_check(const struct options *options, const struct inputs *inputs, output_make *make);

#endif
