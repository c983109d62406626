#include "client/rest/lines.h"

#include <string.h>

void lines_init(struct lines *l, size_t cap_bytes)
{
    buf_init(&l->part, cap_bytes);
    l->empty = 0;
}

void lines_deinit(struct lines *l)
{
    buf_deinit(&l->part);
}

static int hand_out(struct lines *l, const char *line, size_t len, lines_on_line *on_line, void *user,
                    struct err *err)
{
    if (len && line[len - 1] == '\r')
        len--;
    l->empty = len ? 0 : l->empty + 1;
    if (l->empty > LINES_EMPTY_MAX)
        return err_set(err, ERR_LIMIT, "more than %d empty lines in a row", LINES_EMPTY_MAX);
    return len ? on_line(user, line, len, err) : 0;
}

static int too_long(const struct lines *l, struct err *err)
{
    return err_set(err, ERR_LIMIT, "a line of the stream is longer than %zu bytes", l->part.cap_bytes);
}

int lines_feed(struct lines *l, const char *bytes, size_t len, lines_on_line *on_line, void *user,
               struct err *err)
{
    const char *end = bytes + len;
    while (bytes < end) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        if (!newline)
            return buf_append(&l->part, bytes, (size_t)(end - bytes)) == 0 ? 0 : too_long(l, err);
        const size_t n = (size_t)(newline - bytes);
        int result;
        if (l->part.len == 0) {
            if (n > l->part.cap_bytes)
                return too_long(l, err);
            result = hand_out(l, bytes, n, on_line, user, err);
        } else {
            if (buf_append(&l->part, bytes, n) != 0)
                return too_long(l, err);
            result = hand_out(l, l->part.data, l->part.len, on_line, user, err);
            buf_reset(&l->part);
        }
        if (result != 0)
            return -1;
        bytes = newline + 1;
    }
    return 0;
}
