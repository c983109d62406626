/*
 * file: reads a small file whole, with a cap.
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

/* *out ends in a NUL and is the caller's; len may be NULL. Errors, each with the path:
 * NOT_FOUND, INVALID (unreadable; a directory, pipe or device, which is not waited for), LIMIT. */
int file_read(const char *path, size_t cap_bytes, char **out, size_t *len, struct err *err) MUST_CHECK;

bool file_exists(const char *path);

/* The directory part of path, "." if it has none. The caller frees it. */
char *file_directory(const char *path);

/* path itself if it is absolute, else directory/path. The caller frees it. */
char *file_resolve(const char *directory, const char *path);

#endif
