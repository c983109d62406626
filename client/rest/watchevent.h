/*
 * watchevent: one line of a watch stream, taken apart. Pure: no I/O.
 *
 * A line is {"type": "ADDED", "object": {...}}. The object's own text is
 * borrowed from the line (the store keeps bytes), and so is its metadata: one pass
 * finds all of it.
 *
 *     struct watchevent event;
 *     if (watchevent_parse(line, len, &event, &err) == 0) {
 *         ...
 *         watchevent_deinit(&event);
 *     }
 */
#ifndef CLIENT_REST_WATCHEVENT_H
#define CLIENT_REST_WATCHEVENT_H

#include <stdbool.h>
#include <stddef.h>

#include "client/base/err.h"
#include "client/text/jsonmeta.h"

enum watchevent_type {
    WATCHEVENT_ADDED,
    WATCHEVENT_MODIFIED,
    WATCHEVENT_DELETED,
    WATCHEVENT_BOOKMARK,
    WATCHEVENT_ERROR,
};

struct watchevent {
    enum watchevent_type type;
    bool is_cut;        /* only the beginning of the line could be read: there is no text of the object */
    const char *object; /* JSON text inside the line; NULL: it is cut */
    size_t object_len;
    struct jsonmeta meta;   /* of the object */
    char *resource_version; /* opaque; "" only for ERROR */
    bool is_initial_end;    /* a bookmark that ends the initial events */
    struct err error;       /* ERROR: the content of the Status */
};

/* line must outlive event. On success the caller deinits event.
 * Errors: PROTOCOL (no JSON, an unknown type, an object without resourceVersion). */
int watchevent_parse(const char *line, size_t len, struct watchevent *event, struct err *err) MUST_CHECK;
/* The same of the beginning of a line, for one that is too long or too deep to be read. Errors: PROTOCOL (the
 * beginning does not say what it is, or it is an ERROR). */
int watchevent_parse_head(const char *line, size_t len, struct watchevent *event, struct err *err) MUST_CHECK;
void watchevent_deinit(struct watchevent *event);

#endif
