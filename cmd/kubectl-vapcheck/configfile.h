/*
 * configfile: .vapcheck.yaml, a file in a repository that can replace the flags of check.
 *
 *     files: [manifests/]            # with its subdirectories
 *     excludes: [testdata, charts/old]
 *     kube-versions: [1.35, 1.36]    # or schemas: DIR
 *     select: [default, advice]
 *     ignore: [never-equal]
 *
 * It is looked for in the working directory and in its parents. Its paths are relative to its own directory.
 * A flag replaces what the file says.
 *
 *     if (configfile_apply(&options, &err) != 0) ...
 */
#ifndef CMD_KUBECTL_VAPCHECK_CONFIGFILE_H
#define CMD_KUBECTL_VAPCHECK_CONFIGFILE_H

#include "client/base/err.h"
#include "cmd/kubectl-vapcheck/options.h"

#define CONFIGFILE_NAME ".vapcheck.yaml"

/* Applies the file, if there is one. Errors begin with file, line and column. */
int configfile_apply(struct options *options, struct err *err) MUST_CHECK;

#endif
