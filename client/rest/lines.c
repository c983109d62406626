#include "client/rest/lines.h"

#include <string.h>

void lines_init(struct lines *l, size_t cap_bytes)
{
    gathered_init(&l->part, cap_bytes);
    l->empty = 0;
}

void lines_deinit(struct lines *l)
{
    gathered_deinit(&l->part);
}

static int hand_out(struct lines *l, const char *line, size_t len, bool is_cut, lines_on_line *on_line,
                    void *user, struct err *err)
{
    if (!is_cut && len > 0 && line[len - 1] == '\r')
        len--;
    l->empty = len ? 0 : l->empty + 1;
    if (l->empty > LINES_EMPTY_MAX)
        return err_set(err, ERR_LIMIT, "more than %d empty lines in a row", LINES_EMPTY_MAX);
    return len ? on_line(user, line, len, is_cut, err) : 0;
}

static int add(struct lines *l, const char *bytes, size_t len, struct err *err)
{
    gathered_add(&l->part, bytes, len);
    if (l->part.passed_over <= LINES_LONGEST_BYTES)
        return 0;
    return err_set(err, ERR_LIMIT, "a line of the stream is longer than %d bytes", LINES_LONGEST_BYTES);
}

/* The bytes end a line, whose beginning may have been gathered. */
static int end_line(struct lines *l, const char *bytes, size_t len, lines_on_line *on_line, void *user,
                    struct err *err)
{
    struct gathered *part = &l->part;
    if (part->text.len == 0 && !gathered_is_too_long(part, len))
        return hand_out(l, bytes, len, false, on_line, user, err);
    int result = add(l, bytes, len, err);
    if (result == 0)
        result = hand_out(l, part->text.data, part->text.len, part->is_cut, on_line, user, err);
    gathered_reset(part);
    return result;
}

int lines_feed(struct lines *l, const char *bytes, size_t len, lines_on_line *on_line, void *user,
               struct err *err)
{
    const char *end = bytes + len;
    while (bytes < end) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        if (!newline)
            return add(l, bytes, (size_t)(end - bytes), err);
        if (end_line(l, bytes, (size_t)(newline - bytes), on_line, user, err) != 0)
            return -1;
        bytes = newline + 1;
    }
    return 0;
}
