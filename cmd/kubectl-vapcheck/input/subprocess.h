/*
 * subprocess: runs another program, and takes what it prints.
 *
 *     const char *const git[] = {"git", "rev-parse", "--show-toplevel", NULL};
 *     if (subprocess_run(git, &text, &err) != 0) ...
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_SUBPROCESS_H
#define CMD_KUBECTL_VAPCHECK_INPUT_SUBPROCESS_H

#include "client/base/buf.h"
#include "client/base/err.h"

/* arguments: the program's name, which is looked for on the PATH, and at least one argument; NULL ends them.
 * The program has nothing to read. Its output goes into an initialised buffer. Errors: NOT_FOUND (there is no
 * such program), INVALID (it failed: the first line of its own message), LIMIT (it writes more than the
 * buffer takes), INTERNAL. */
int subprocess_run(const char *const *arguments, struct buf *text, struct err *err) MUST_CHECK;

#endif
