/*
 * snapshot: a dump of a cluster, read as if it were the server.
 *
 * A dump is a directory (the URL path of each document plus ".json") or a
 * bundle: one gzip stream of records "PATH LENGTH\n" BYTES "\n", sorted by
 * path, with no time in it, so that equal content gives equal bytes. A
 * bundle is unpacked on open; a directory's documents are read when asked for.
 * The only user of zlib.
 *
 *     snapshot_open("manifests/schemas/v1.36.gz", &s, &err);
 *     snapshot_get(s, "/openapi/v3/apis/apps/v1", &bytes, &len, &err);
 */
#ifndef CLIENT_DISCOVERY_SNAPSHOT_H
#define CLIENT_DISCOVERY_SNAPSHOT_H

#include <stddef.h>

#include "client/base/err.h"

enum {
    SNAPSHOT_DOCUMENT_CAP_BYTES = 16 * 1024 * 1024,
    SNAPSHOT_BUNDLE_CAP_BYTES = 256 * 1024 * 1024, /* unpacked */
};

struct snapshot;
struct snapshot_writer;

enum snapshot_form { SNAPSHOT_DIRECTORY, SNAPSHOT_BUNDLE };

/* A directory or a bundle's file. The caller frees *out with snapshot_free.
 * Errors: NOT_FOUND, INVALID (not a bundle, cut short), LIMIT. */
int snapshot_open(const char *path, struct snapshot **out, struct err *err) MUST_CHECK;
/* A bundle that is in memory already (copied). */
int snapshot_open_bytes(const void *bytes, size_t len, struct snapshot **out, struct err *err) MUST_CHECK;
void snapshot_free(struct snapshot *snapshot);

/* The document at a URL path ("/version", "/apis"), without a query. *bytes ends in a NUL
 * and is good until snapshot_free. Errors: NOT_FOUND (a path with "..", too), LIMIT, INVALID (unreadable). */
int snapshot_get(struct snapshot *snapshot, const char *url_path, const char **bytes, size_t *len,
                 struct err *err) MUST_CHECK;

/* Writing: open, add in any order, finish. Nothing is visible under the bundle's name before
 * finish succeeded. A directory is made if need be, and may be a symbolic link; links in it are not
 * followed (INVALID). The writer is freed by finish (whatever it
 * answers) or by abandon. */
int snapshot_writer_open(const char *path, enum snapshot_form form, struct snapshot_writer **out,
                         struct err *err) MUST_CHECK;
int snapshot_writer_add(struct snapshot_writer *writer, const char *url_path, const char *bytes, size_t len,
                        struct err *err) MUST_CHECK;
int snapshot_writer_finish(struct snapshot_writer *writer, struct err *err) MUST_CHECK;
void snapshot_writer_abandon(struct snapshot_writer *writer);

#endif
