/*
 * gunzip: inflates a gzip stream as it arrives (zlib). Pure: bytes in, bytes out.
 *
 * The stream is any number of gzip members in a row, as RFC 1952 has it: an API
 * server ends a member each time it flushes a watch, and the content of a member
 * is handed out before the member ends. Nothing is gathered: it takes only the
 * memory that zlib needs for one window, and only within a member. One call does a
 * bounded amount of work, however much the bytes inflate to. The caller counts the
 * bytes that come out, and so can stop a bomb.
 *
 *     gunzip_init(&g);
 *     while (len > 0 || gunzip_has_more(&g)) {        one turn of the loop each
 *         size_t work = HTTP_INFLATE_WORK;
 *         if (gunzip_feed(&g, &bytes, &len, &work, on_bytes, user, &err) != 0) ...
 *     }
 *     gunzip_end(&g, &err);
 */
#ifndef CLIENT_HTTP_GUNZIP_H
#define CLIENT_HTTP_GUNZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

#include "client/base/err.h"

enum {
    GUNZIP_BLOCK_BYTES = 16 * 1024,        /* handed out at once, at most */
    GUNZIP_INPUT_COST = 4,                 /* a byte that comes in costs as much as 4 that go out */
    GUNZIP_BARREN_CAP_BYTES = 1024 * 1024, /* more input without any output is an error: it would be work that
                                            * no limit on the output ends */
};

struct gunzip {
    z_stream stream;
    bool is_in_member;   /* the stream is allocated */
    bool has_more;       /* zlib holds output that no input is needed for */
    size_t barren_bytes; /* input since the last output */
};

/* Gets borrowed bytes; returns -1, with *err, to stop the feeding. */
typedef int gunzip_on_bytes(void *user, const char *bytes, size_t len, struct err *err);

void gunzip_init(struct gunzip *g);
void gunzip_deinit(struct gunzip *g);

/* Inflates input while *work is above 0: *bytes and *len move on, and *work becomes less. A byte that goes
 * out costs 1. It may do one block more than *work allows. Errors: PROTOCOL (no gzip, a wrong checksum, other
 * bytes after a member), LIMIT (input without output), on_bytes'. Then g must only be deinited. */
int gunzip_feed(struct gunzip *g, const char **bytes, size_t *len, size_t *work, gunzip_on_bytes *on_bytes,
                void *user, struct err *err) MUST_CHECK;

/* There is output left that needs no more input. */
bool gunzip_has_more(const struct gunzip *g);

/* Call it at the end of the input. Errors: NETWORK (it ended in the middle of a member). */
int gunzip_end(const struct gunzip *g, struct err *err) MUST_CHECK;

#endif
