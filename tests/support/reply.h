/*
 * reply: the answer to one request, filled in by a handler: a body, a
 * metav1.Status that says what went wrong, or a stream of watch events.
 *
 *     return reply_problem(reply, 404, "NotFound", "%s \"%s\" not found", resource, name);
 */
#ifndef SUPPORT_REPLY_H
#define SUPPORT_REPLY_H

#include <json-c/json.h>
#include <stdbool.h>

#include "client/base/buf.h"

enum { REPLY_CAP_BYTES = 64 * 1024 * 1024 };

struct reply {
    int status;
    const char *content_type; /* static */
    struct buf body;
    char etag[24];          /* "" if none */
    bool has_retry_after;   /* a second */
    bool is_cut;            /* the connection ends instead */
    struct watcher *stream; /* instead of a body; the transport frees it */
};

/* value is borrowed. */
void reply_object(struct reply *reply, int status, struct json_object *value, bool is_yaml);

/* Returns -1, so that a handler can end with it. */
int reply_problem(struct reply *reply, int status, const char *reason, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The value of JSON text with ' for "; what is put into it are names, which need no escapes. The
 * caller puts it. NULL if it is no JSON. */
struct json_object *reply_value(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
