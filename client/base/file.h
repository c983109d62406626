/*
 * file: reads a small file whole, with a cap, and replaces one.
 *
 * For configuration, certificates and tokens: synchronous, since they are
 * local and small.
 *
 *     if (file_read(path, 1 << 20, &bytes, &len, &err) != 0) ...
 */
#ifndef CLIENT_BASE_FILE_H
#define CLIENT_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "client/base/err.h"

struct file_bytes {
    const char *at;
    size_t len;
};

/* *out ends in a NUL and is the caller's; len may be NULL. Errors, each with the path:
 * NOT_FOUND, INVALID (unreadable; a directory, pipe or device, which is not waited for), LIMIT. */
int file_read(const char *path, size_t cap_bytes, char **out, size_t *len, struct err *err) MUST_CHECK;

/* Replaces the content of a regular file in one step, if it is still the one that was read: a reader finds
 * the old bytes or the new ones. The mode stays, and a symbolic link stays a link. Errors, each with the
 * path: NOT_FOUND, INVALID (also: it has another content by now, or several names, of which one would be
 * lost). */
int file_replace(const char *path, struct file_bytes old, struct file_bytes bytes,
                 struct err *err) MUST_CHECK;

bool file_exists(const char *path);

/* The directory part of path, "." if it has none. The caller frees it. */
char *file_directory(const char *path);

/* path itself if it is absolute, else directory/path. The caller frees it. */
char *file_resolve(const char *directory, const char *path);

#endif
