#include "client/rpc/rpcframe.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

static const char end_of_header[] = "\r\n\r\n";

void rpcframe_init(struct rpcframe *f, size_t max_bytes)
{
    *f = (struct rpcframe){.max_bytes = max_bytes};
    buf_init(&f->bytes, SIZE_MAX / 2); /* one message, and the bytes read behind it */
}

void rpcframe_deinit(struct rpcframe *f)
{
    buf_deinit(&f->bytes);
}

void rpcframe_add(struct rpcframe *f, const char *bytes, size_t len)
{
    const size_t skipped = len < f->skip ? len : f->skip;
    f->skip -= skipped;
    if (f->at > 0) {
        memmove(f->bytes.data, f->bytes.data + f->at, f->bytes.len - f->at);
        f->bytes.len -= f->at;
        f->scanned -= f->at;
        f->at = 0;
    }
    if (!f->is_broken)
        (void)buf_append(&f->bytes, bytes + skipped, len - skipped);
}

/* "123": false: it is not a number, or one that nobody can count to. */
static bool read_length(const char *text, size_t len, size_t *out)
{
    *out = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9' || *out > SIZE_MAX / 16)
            return false;
        *out = *out * 10 + (size_t)(text[i] - '0');
    }
    return len > 0;
}

/* Reads the header's lines, each with its line end. Returns false if none of them has the length, or if one
 * is not a line of a header. */
static bool read_header(const char *header, size_t len, size_t *body_len)
{
    static const char name[] = "content-length";
    bool is_found = false;
    for (const char *line = header, *end; line < header + len; line = end + 2) {
        end = memmem(line, (size_t)(header + len - line), "\r\n", 2);
        const char *colon = memchr(line, ':', (size_t)(end - line));
        if (colon == NULL)
            return false;
        if ((size_t)(colon - line) != sizeof name - 1 || strncasecmp(line, name, sizeof name - 1) != 0)
            continue;
        const char *value = colon + 1, *behind = end;
        while (value < behind && (*value == ' ' || *value == '\t'))
            value++;
        while (value < behind && (behind[-1] == ' ' || behind[-1] == '\t'))
            behind--;
        if (is_found || !read_length(value, (size_t)(behind - value), body_len))
            return false;
        is_found = true;
    }
    return is_found;
}

static enum rpcframe_found find_header(struct rpcframe *f)
{
    const char *from = f->bytes.data + f->scanned;
    const char *end = memmem(from, f->bytes.len - f->scanned, end_of_header, sizeof end_of_header - 1);
    const size_t header_len = (end == NULL ? f->bytes.len : (size_t)(end - f->bytes.data) + 2) -
                              f->at; /* the last line's end included */
    if (header_len > RPCFRAME_HEADER_CAP_BYTES)
        return RPCFRAME_BROKEN;
    if (end == NULL) {
        const size_t overlap = sizeof end_of_header - 2;
        f->scanned = f->bytes.len - f->at < overlap ? f->at : f->bytes.len - overlap;
        return RPCFRAME_NOTHING;
    }
    if (!read_header(f->bytes.data + f->at, header_len, &f->body_len))
        return RPCFRAME_BROKEN;
    f->has_header = true;
    f->at = f->scanned = (size_t)(end - f->bytes.data) + sizeof end_of_header - 1;
    return RPCFRAME_MESSAGE;
}

static enum rpcframe_found leave_out(struct rpcframe *f)
{
    const size_t here = f->bytes.len - f->at, skipped = here < f->body_len ? here : f->body_len;
    f->skip = f->body_len - skipped;
    f->at = f->scanned = f->at + skipped;
    f->has_header = false;
    return RPCFRAME_TOO_LARGE;
}

enum rpcframe_found rpcframe_next(struct rpcframe *f, const char **body, size_t *len)
{
    enum rpcframe_found found = f->is_broken    ? RPCFRAME_BROKEN
                                : f->has_header ? RPCFRAME_MESSAGE
                                : f->skip > 0   ? RPCFRAME_NOTHING
                                                : find_header(f);
    f->is_broken = found == RPCFRAME_BROKEN;
    if (found != RPCFRAME_MESSAGE)
        return found;
    if (f->body_len > f->max_bytes)
        return leave_out(f);
    if (f->bytes.len - f->at < f->body_len)
        return RPCFRAME_NOTHING;
    *body = f->bytes.data + f->at;
    *len = f->body_len;
    f->at = f->scanned = f->at + f->body_len;
    f->has_header = false;
    return RPCFRAME_MESSAGE;
}
