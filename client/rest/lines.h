/*
 * lines: cuts a stream of bytes into lines while it arrives. Pure: no I/O.
 *
 * A line that lies within one chunk is given out without a copy; only a line that
 * spans chunks is copied. No byte is read twice. If a line is longer than the cap,
 * only its beginning is given out (gathered.h); the stream goes on behind it.
 *
 *     lines_init(&l, API_FRAME_CAP_BYTES);
 *     lines_feed(&l, chunk, len, on_line, user, &err);
 */
#ifndef CLIENT_REST_LINES_H
#define CLIENT_REST_LINES_H

#include <stddef.h>

#include "client/base/err.h"
#include "client/rest/gathered.h"

enum {
    LINES_EMPTY_MAX = 10000,                  /* this many empty lines in a row are an error */
    LINES_LONGEST_BYTES = 1024 * 1024 * 1024, /* no server stores what makes a line as long: it has no end */
};

struct lines {
    struct gathered part; /* the beginning of a line whose end has not arrived */
    unsigned empty;       /* lines, in a row */
};

/* One line without its end (LF or CR LF), borrowed; empty lines are left out. is_cut: it is longer than the
 * cap, and this is its beginning. -1 stops the feeding with *err. */
typedef int lines_on_line(void *user, const char *line, size_t len, bool is_cut, struct err *err);

void lines_init(struct lines *l, size_t cap_bytes);
void lines_deinit(struct lines *l);

/* Errors: LIMIT (no end of a line, too many empty lines), or on_line's. After an error l must only be
 * deinited. */
int lines_feed(struct lines *l, const char *bytes, size_t len, lines_on_line *on_line, void *user,
               struct err *err) MUST_CHECK;

#endif
