#include "client/text/textlines.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "bytes/utf8.h"
#include "client/base/mem.h"

enum { BLOCK_BYTES = 1024 };

/* The first character that begins in the block, and the units of all before it. */
struct textlines_block {
    size_t at, utf16, utf32;
};

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
    add_start(t, 0);
    for (size_t at = 0; at < t->len;) {
        const size_t end = break_len(t, at);
        at += end > 0 ? end : 1;
        if (end > 0)
            add_start(t, at);
    }
}

static bool is_ascii(const struct textlines *t)
{
    for (size_t at = 0; at < t->len; at++) {
        if ((signed char)t->text[at] < 0)
            return false;
    }
    return true;
}

static void index_characters(struct textlines *t)
{
    struct textlines_block next = {0, 0, 0};
    size_t len;
    if (is_ascii(t))
        return;
    t->blocks = mem_array(t->len / BLOCK_BYTES + 1, sizeof *t->blocks);
    for (; next.at < t->len; next.at += len) {
        uint32_t code;
        if (next.at / BLOCK_BYTES >= t->n_blocks)
            t->blocks[t->n_blocks++] = next;
        len = utf8_next(t->text + next.at, t->len - next.at, &code);
        next.utf16 += code > 0xffff ? 2 : 1;
        next.utf32++;
    }
}

void textlines_init(struct textlines *t, char *take_text, size_t len)
{
    *t = (struct textlines){.text = take_text, .len = len};
    index_lines(t);
    index_characters(t);
}

void textlines_deinit(struct textlines *t)
{
    mem_free(t->text);
    mem_free(t->starts);
    mem_free(t->blocks);
    *t = (struct textlines){0};
}

/* The end of a line, without its line break. */
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

static size_t units_of(const struct textlines_block *b, enum textlines_unit unit)
{
    switch (unit) {
    case TEXTLINES_UTF8:
        return b->at;
    case TEXTLINES_UTF16:
        return b->utf16;
    case TEXTLINES_UTF32:
        break;
    }
    return b->utf32;
}

/* A character of the text, and the units of those before it. */
struct spot {
    size_t at, units;
};

/* The last block whose first character is not behind the byte. */
static struct spot block_at(const struct textlines *t, size_t offset, enum textlines_unit unit)
{
    size_t i = offset / BLOCK_BYTES < t->n_blocks ? offset / BLOCK_BYTES : t->n_blocks - 1;
    while (t->blocks[i].at > offset) /* the first one is at 0 */
        i--;
    return (struct spot){t->blocks[i].at, units_of(&t->blocks[i], unit)};
}

/* The last block with at most so many units before it. */
static struct spot block_of(const struct textlines *t, size_t units, enum textlines_unit unit)
{
    size_t first = 0, behind = t->n_blocks;
    while (behind - first > 1) {
        const size_t middle = first + (behind - first) / 2;
        if (units_of(&t->blocks[middle], unit) <= units)
            first = middle;
        else
            behind = middle;
    }
    return (struct spot){t->blocks[first].at, units_of(&t->blocks[first], unit)};
}

/* The units of the characters that begin before the byte, which is not behind `end`. */
static size_t count_units(const struct textlines *t, size_t offset, size_t end, enum textlines_unit unit)
{
    struct spot spot = block_at(t, offset, unit);
    for (size_t len; spot.at < offset; spot.at += len)
        spot.units += width_at(t, spot.at, end, unit, &len);
    return spot.units;
}

size_t textlines_offset(const struct textlines *t, struct textlines_place place, enum textlines_unit unit)
{
    if (place.line >= t->count)
        return t->len;
    const size_t start = t->starts[place.line], end = end_of(t, place.line);
    if (t->blocks == NULL || start == end)
        return place.column < end - start ? start + place.column : end;
    const size_t before = count_units(t, start, end, unit);
    const size_t wanted = place.column < SIZE_MAX - before ? before + place.column : SIZE_MAX;
    struct spot spot = block_of(t, wanted, unit);
    if (spot.at < start)
        spot = (struct spot){start, before};
    while (spot.at < end && spot.units < wanted) {
        size_t len;
        spot.units += width_at(t, spot.at, end, unit, &len);
        if (spot.units > wanted) /* in the middle of a character */
            break;
        spot.at += len;
    }
    return spot.at < end ? spot.at : end;
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
    const size_t start = t->starts[first], end = end_of(t, first), at = offset < end ? offset : end;
    if (t->blocks == NULL)
        return (struct textlines_place){first, at - start};
    return (struct textlines_place){first, count_units(t, at, end, unit) - count_units(t, start, end, unit)};
}
