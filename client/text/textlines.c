#include "client/text/textlines.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "bytes/utf8.h"
#include "client/base/mem.h"

static bool is_break(char c)
{
    return c == '\n' || c == '\r';
}

/* Bytes of the line end at `at`; 0: there is none. */
static size_t break_len(const struct textlines *t, size_t at)
{
    if (at >= t->len || !is_break(t->text[at]))
        return 0;
    return t->text[at] == '\r' && t->text[at + 1] == '\n' ? 2 : 1;
}

static void add_start(struct textlines *t, size_t at)
{
    t->starts = mem_grow(t->starts, t->count, sizeof *t->starts);
    t->starts[t->count++] = at;
}

static void index_lines(struct textlines *t)
{
    mem_free(t->starts);
    t->starts = NULL;
    t->count = 0;
    add_start(t, 0);
    for (size_t at = 0; at < t->len;) {
        const size_t end = break_len(t, at);
        at += end > 0 ? end : 1;
        if (end > 0)
            add_start(t, at);
    }
}

void textlines_init(struct textlines *t, char *take_text, size_t len)
{
    *t = (struct textlines){.text = take_text, .len = len};
    index_lines(t);
}

void textlines_deinit(struct textlines *t)
{
    mem_free(t->text);
    mem_free(t->starts);
    *t = (struct textlines){0};
}

/* Where a line ends, without its line end. */
static size_t end_of(const struct textlines *t, size_t line)
{
    size_t end = line + 1 < t->count ? t->starts[line + 1] : t->len;
    if (line + 1 < t->count)
        end -= end - t->starts[line] > 1 && t->text[end - 2] == '\r' && t->text[end - 1] == '\n' ? 2 : 1;
    return end;
}

/* Units of the character at `at`, whose bytes go to *len. */
static size_t width_at(const struct textlines *t, size_t at, size_t end, enum textlines_unit unit,
                       size_t *len)
{
    uint32_t code;
    *len = utf8_next(t->text + at, end - at, &code);
    switch (unit) {
    case TEXTLINES_UTF8:
        return *len;
    case TEXTLINES_UTF16:
        return code > 0xffff ? 2 : 1;
    case TEXTLINES_UTF32:
        break;
    }
    return 1;
}

size_t textlines_offset(const struct textlines *t, struct textlines_place place, enum textlines_unit unit)
{
    if (place.line >= t->count)
        return t->len;
    const size_t end = end_of(t, place.line);
    size_t at = t->starts[place.line], column = 0, len;
    while (at < end && column < place.column) {
        column += width_at(t, at, end, unit, &len);
        if (column > place.column) /* in the middle of a character */
            break;
        at += len;
    }
    return at;
}

struct textlines_place textlines_place(const struct textlines *t, size_t offset, enum textlines_unit unit)
{
    size_t first = 0, behind = t->count;
    while (behind - first > 1) {
        const size_t middle = first + (behind - first) / 2;
        if (t->starts[middle] <= offset)
            first = middle;
        else
            behind = middle;
    }
    struct textlines_place place = {first, 0};
    const size_t end = end_of(t, first);
    for (size_t at = t->starts[first], len; at < end && at < offset; at += len)
        place.column += width_at(t, at, end, unit, &len);
    return place;
}

void textlines_replace(struct textlines *t, size_t from, size_t to, const char *bytes, size_t len)
{
    const size_t first = from < to ? from : to, behind = from < to ? to : from;
    char *text = mem_array(t->len - (behind - first) + len + 1, 1);
    memcpy(text, t->text, first);
    memcpy(text + first, bytes, len);
    memcpy(text + first + len, t->text + behind, t->len - behind);
    mem_free(t->text);
    t->text = text;
    t->len = t->len - (behind - first) + len;
    index_lines(t);
}
