/*
 * fixrun: check --fix and --diff: writes the proved corrections into the files.
 *
 * All corrections of all files are tried together, on every version that was asked for: a file must have the
 * same trees but for the changed expressions, and no object may have a finding that it did not have. If that
 * fails, the corrections of the file, or of the object, are left out. The rest is corrected again, until
 * nothing changes.
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_FIXRUN_H
#define CMD_KUBECTL_VAPCHECK_CHECK_FIXRUN_H

#include "cmd/kubectl-vapcheck/input/inputs.h"
#include "cmd/kubectl-vapcheck/options.h"

struct fixrun {
    size_t n_fixed; /* findings */
    size_t n_files; /* that changed */
};

/* Reads all inputs, whose texts are then the corrected ones, and writes the files, or prints the differences.
 * Returns -1 after an error that was printed; files before it may be written. */
int fixrun_run(const struct options *options, struct inputs *inputs, struct fixrun *out) MUST_CHECK;

#endif
