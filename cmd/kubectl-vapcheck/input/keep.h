/*
 * keep: the manifests of files that did not change since they were read, for those who read the same files
 * again and again.
 *
 * A file is the same if its device, inode, size and times are. One that was written right before
 * it was read is read again: it may change within the same second. The trees of at most KEEP_TEXT_BYTES of
 * text are kept; a file that is not kept is read as `reading` says.
 *
 *     struct keep *keep = keep_new();
 *     keep_begin(keep);
 *     struct manifest *m = keep_read(keep, input, &reading);
 *     ...
 *     keep_done(keep, m);
 *     keep_free(keep);
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_KEEP_H
#define CMD_KUBECTL_VAPCHECK_INPUT_KEEP_H

#include "cmd/kubectl-vapcheck/input/manifest.h"

enum { KEEP_TEXT_BYTES = 32 * 1024 * 1024 };

struct keep;

struct keep *keep_new(void);
void keep_free(struct keep *keep);
/* Forgets the files that were not asked for since the last call. */
void keep_begin(struct keep *keep);
/* The manifest of an input, read, or as it was kept. keep NULL: nothing is kept. */
struct manifest *keep_read(struct keep *keep, const struct input *input,
                           const struct manifest_reading *reading);
/* Its tree is not needed any more, unless it is kept. */
void keep_release(const struct keep *keep, struct manifest *manifest);
/* The manifest is not needed any more. */
void keep_done(const struct keep *keep, struct manifest *manifest);

#endif
