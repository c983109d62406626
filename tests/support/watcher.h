/*
 * watcher: one client's watch: the events of a kind from a version on, as lines.
 * Owned by the transport, whose thread waits in watcher_read.
 */
#ifndef SUPPORT_WATCHER_H
#define SUPPORT_WATCHER_H

#include "tests/support/httpd.h"
#include "tests/support/objects.h"

enum { WATCHER_BOOKMARK_MS = 10000, WATCHER_TIMEOUT_S = 1800 };

/* With the objects' lock held. The request's query says from where and how long. NULL: the reply
 * holds the refusal. */
struct watcher *watcher_new(struct objects *objects, const struct objects_kind *kind, const char *name,
                            const struct httpd_request *request, struct reply *reply);
void watcher_free(struct watcher *watcher);

/* Waits for the next bytes, without the lock; 0 at the end. */
size_t watcher_read(struct watcher *watcher, char *out, size_t cap);

/* The resourceVersion that the request asks for; answers 400, or 504 for one that is still to come. */
int watcher_version(const struct objects *objects, const struct httpd_request *request, uint64_t *version,
                    struct reply *reply);

/* As PartialObjectMetadata; the caller puts it. */
struct json_object *watcher_metadata_of(struct json_object *object);

#endif
