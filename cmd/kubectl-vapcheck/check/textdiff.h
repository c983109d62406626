/*
 * textdiff: the difference of two texts, as `diff -u` and `git apply` know it.
 */
#ifndef CMD_KUBECTL_VAPCHECK_CHECK_TEXTDIFF_H
#define CMD_KUBECTL_VAPCHECK_CHECK_TEXTDIFF_H

#include "client/base/file.h"

/* Prints "--- a/FILE", "+++ b/FILE" and the parts that differ, with three lines around them. */
void textdiff_print(const char *file, struct file_bytes old, struct file_bytes changed);

#endif
