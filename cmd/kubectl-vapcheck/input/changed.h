/*
 * changed: marks the inputs that were changed, by git.
 *
 *     if (changed_mark("origin/main", &inputs, &err) != 0) ...
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_CHANGED_H
#define CMD_KUBECTL_VAPCHECK_INPUT_CHANGED_H

#include "client/base/err.h"
#include "cmd/kubectl-vapcheck/input/inputs.h"

/* Sets is_context of each input whose file is the same in the working tree and in the commit where HEAD and
 * the revision parted. A file that git does not know, and does not ignore, counts as changed, and so does an
 * input without a file. Errors: as subprocess_run. */
int changed_mark(const char *revision, struct inputs *inputs, struct err *err) MUST_CHECK;

#endif
