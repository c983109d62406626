/*
 * clusterdump: a dump of a cluster, read as if it were the server.
 *
 * A dump is a directory (the URL path of each document plus ".json") or a
 * bundle: one gzip stream of records "PATH LENGTH\n" BYTES "\n", as
 * manifests/schemas/bundle writes it. A directory's documents are read when
 * asked for, and a bundle is unpacked as far as what is asked for.
 *
 *     clusterdump_open("manifests/schemas/v1.36.gz", &s, &err);
 *     clusterdump_get(s, "/openapi/v3/apis/apps/v1", &bytes, &len, &err);
 */
#ifndef CLIENT_DISCOVERY_CLUSTERDUMP_H
#define CLIENT_DISCOVERY_CLUSTERDUMP_H

#include <stddef.h>

#include "client/base/err.h"

enum {
    CLUSTERDUMP_DOCUMENT_CAP_BYTES = 16 * 1024 * 1024,
    CLUSTERDUMP_BUNDLE_CAP_BYTES = 256 * 1024 * 1024, /* unpacked; and of its file */
};

struct clusterdump;

/* Opens a directory or the file of a bundle. The caller frees *out with clusterdump_free.
 * Errors: NOT_FOUND, INVALID (not a bundle, cut short), LIMIT. */
int clusterdump_open(const char *path, struct clusterdump **out, struct err *err) MUST_CHECK;
/* Opens a bundle that is in memory; its bytes are borrowed until clusterdump_free. */
int clusterdump_open_bytes(const void *bytes, size_t len, struct clusterdump **out,
                           struct err *err) MUST_CHECK;
void clusterdump_free(struct clusterdump *snapshot);

/* The document at a URL path ("/version", "/apis"), without a query. *bytes ends in a NUL and is good until
 * clusterdump_free. Errors: NOT_FOUND (a path with "..", too), LIMIT, INVALID (unreadable; a bundle that is
 * damaged before its end). */
int clusterdump_get(struct clusterdump *snapshot, const char *url_path, const char **bytes, size_t *len,
                    struct err *err) MUST_CHECK;

/* Makes the directory of a dump if need be; it may be a symbolic link. Errors: INVALID. */
int clusterdump_make(const char *directory, struct err *err) MUST_CHECK;

/* Writes a document into the directory, which is there; symbolic links in it are not followed.
 * Errors: INVALID, LIMIT. */
int clusterdump_write(const char *directory, const char *url_path, const char *bytes, size_t len,
                      struct err *err) MUST_CHECK;

#endif
