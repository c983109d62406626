#include "client/text/yaml_lines.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "bytes/utf8.h"
#include "client/base/mem.h"

size_t yaml_lines_break(const char *p, const char *end)
{
    if (*p == '\r')
        return p + 1 < end && p[1] == '\n' ? 2 : 1;
    if (*p == '\n')
        return 1;
    if (end - p >= 2 && memcmp(p, "\xc2\x85", 2) == 0)
        return 2;
    if (end - p >= 3 && (memcmp(p, "\xe2\x80\xa8", 3) == 0 || memcmp(p, "\xe2\x80\xa9", 3) == 0))
        return 3;
    return 0;
}

/* The first byte that is a control character or no ASCII; end if there is none. Eight bytes at a time. */
static const char *skip_plain(const char *p, const char *end)
{
    const uint64_t ones = UINT64_MAX / UCHAR_MAX, highs = ones << 7;
    uint64_t word = 0;
    for (; end - p >= (ptrdiff_t)sizeof word; p += sizeof word) {
        memcpy(&word, p, sizeof word);
        if (((((word - ones * ' ') & ~word) | word) & highs) != 0)
            break;
    }
    while (p < end && (signed char)*p >= ' ')
        p++;
    return p;
}

void yaml_lines_init(struct yaml_lines *l, const char *text, size_t len)
{
    const char *end = text + len;
    *l = (struct yaml_lines){.text = text, .len = len, .count = 1, .is_ascii = true};
    l->starts = mem_array(1, sizeof *l->starts);
    for (const char *p = skip_plain(text, end); p < end; p = skip_plain(p, end)) {
        const size_t n = yaml_lines_break(p, end);
        l->is_ascii = l->is_ascii && (signed char)*p >= 0;
        p += n ? n : 1;
        if (!n)
            continue;
        l->starts = mem_grow(l->starts, l->count, sizeof *l->starts);
        l->starts[l->count++] = (size_t)(p - text);
    }
}

void yaml_lines_deinit(struct yaml_lines *l)
{
    mem_free(l->starts);
}

/* Returns how many bytes, of at most so many, are ASCII for certain. Eight bytes at a time. */
static size_t skip_ascii(const char *p, size_t len, size_t most)
{
    const uint64_t highs = UINT64_MAX / UCHAR_MAX << 7;
    uint64_t word = 0;
    size_t n = 0;
    for (most = most < len ? most : len; most - n >= sizeof word; n += sizeof word) {
        memcpy(&word, p + n, sizeof word);
        if ((word & highs) != 0)
            break;
    }
    return n;
}

size_t yaml_lines_offset(struct yaml_lines *l, size_t line, size_t column)
{
    if (line >= l->count)
        return l->len;
    const size_t start = l->starts[line];
    if (l->is_ascii)
        return column < l->len - start ? start + column : l->len;
    if (line != l->last_line) {
        l->last_line = line;
        l->last_column = 0;
        l->last_offset = start;
    }
    if (l->last_column > column) {
        l->last_offset = utf8_back(l->text, l->last_offset, l->last_column - column);
        l->last_column = column;
    }
    const size_t plain =
        skip_ascii(l->text + l->last_offset, l->len - l->last_offset, column - l->last_column);
    l->last_offset += plain;
    l->last_column += plain;
    for (; l->last_column < column && l->last_offset < l->len; l->last_column++) {
        uint32_t code;
        const bool is_ascii = (unsigned char)l->text[l->last_offset] <= SCHAR_MAX; /* nearly always */
        l->last_offset += is_ascii ? 1 : utf8_next(l->text + l->last_offset, l->len - l->last_offset, &code);
    }
    return l->last_offset;
}

static const char tag[] = {'%', 'T', 'A', 'G'};

static bool is_comment(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p == end || *p == '#' || yaml_lines_break(p, end) > 0;
}

/* Returns true if the text has the directive, perhaps within a line; hardly any has. */
static bool has_directive(const char *at, const char *end)
{
    for (const char *p = at; (p = memchr(p, *tag, (size_t)(end - p))) != NULL; p++) {
        if ((size_t)(end - p) > sizeof tag && memcmp(p, tag, sizeof tag) == 0)
            return true;
    }
    return false;
}

size_t yaml_lines_directive(const struct yaml_lines *l, size_t line, size_t at, size_t end)
{
    size_t count = 0;
    if (!has_directive(l->text + at, l->text + end))
        return l->count;
    for (; line < l->count && at < end; line++) {
        const size_t next = line + 1 < l->count && l->starts[line + 1] < end ? l->starts[line + 1] : end;
        const bool is_directive = next - at > sizeof tag && memcmp(l->text + at, tag, sizeof tag) == 0;
        if (is_directive && (++count > YAML_LINES_DIRECTIVES || next - at > YAML_LINES_DIRECTIVE_BYTES))
            return line;
        if (!is_directive && !is_comment(l->text + at, l->text + next))
            count = 0;
        at = next;
    }
    return l->count;
}
