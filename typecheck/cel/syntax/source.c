#include "typecheck/cel/syntax/source.h"

#include <stdbool.h>
#include <string.h>

#include "typecheck/base/arena.h"

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* The length that the lead byte promises, if the continuation bytes are there; 1 otherwise. */
size_t source_wide_len(const char *at, const char *end)
{
    unsigned char lead = (unsigned char)*at;
    size_t len = lead >= 0xF0 && lead < 0xF8 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1;
    if (lead >= 0xF8 || (size_t)(end - at) < len)
        return 1;
    for (size_t i = 1; i < len; i++)
        if (!is_continuation(at[i]))
            return 1;
    return len;
}

/* A word of bytes that all are ASCII. */
static bool is_ascii_word(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return (word & 0x8080808080808080u) == 0;
}

static size_t count_code_points(const char *at, const char *end)
{
    size_t count = 0;
    while (at < end) {
        for (; (size_t)(end - at) >= sizeof(uint64_t) && is_ascii_word(at); at += sizeof(uint64_t))
            count += sizeof(uint64_t);
        if (at == end)
            break;
        at += source_code_point_len(at, end);
        count++;
    }
    return count;
}

static size_t count_lines(struct str text)
{
    size_t lines = 1;
    const char *end = text.at + text.len;
    for (const char *at = text.at; text.len != 0 && (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
        lines++;
    return lines;
}

void source_init(struct source *s, struct arena *a, struct str text)
{
    memset(s, 0, sizeof *s);
    arena_pay_bytes(a, text.len);
    s->text = text;
    s->code_points = count_code_points(text.at, text.at + text.len);
    s->line_count = count_lines(text);
    s->line_starts = ARENA_ARRAY(a, s->line_count, uint32_t);
    const char *at = text.at, *end = text.at + text.len;
    for (size_t line = 1; line < s->line_count; line++) {
        at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
        s->line_starts[line] = (uint32_t)(at - text.at);
    }
}

/* The index of the last line that starts at or before `offset`. */
static size_t line_of(const struct source *s, uint32_t offset)
{
    size_t low = 0, high = s->line_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (s->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct location source_location(const struct source *s, uint32_t offset)
{
    if (offset == SOURCE_NOWHERE)
        return (struct location){-1, -1};
    if (offset == SOURCE_BEFORE || s->text.len == 0)
        return (struct location){1, -1};
    if (offset > s->text.len)
        offset = (uint32_t)s->text.len;
    size_t line = line_of(s, offset);
    const char *start = s->text.at + s->line_starts[line];
    return (struct location){(int)line + 1, (int)count_code_points(start, s->text.at + offset)};
}

struct str source_line(const struct source *s, int line)
{
    if (line < 1 || (size_t)line > s->line_count)
        return (struct str){"", 0};
    size_t start = s->line_starts[line - 1];
    size_t end = (size_t)line < s->line_count ? s->line_starts[line] - 1 : s->text.len;
    return (struct str){s->text.at + start, end - start};
}
