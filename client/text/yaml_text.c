#include "client/text/yaml_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "bytes/hex.h"
#include "bytes/utf8.h"

static const char mark[] = "\xef\xbb\xbf";

/* "\u00e9" */
static bool read_escape(const char *p, const char *end, uint32_t *code)
{
    return end - p >= 6 && p[0] == '\\' && p[1] == 'u' && hex_read(p + 2, 4, code);
}

/* JSON writes characters above U+FFFF as two \u escapes, which YAML does not know; one alone is the
 * replacement character to Go. */
static size_t join_surrogates(char *text, size_t len)
{
    const char *end = text + len;
    char *to = text;
    for (const char *p = text; p < end;) {
        uint32_t high;
        uint32_t low;
        const char *escape = memchr(p, '\\', (size_t)(end - p));
        const size_t plain = (size_t)((escape != NULL ? escape : end) - p);
        memmove(to, p, plain);
        to += plain;
        p += plain;
        if (read_escape(p, end, &high) && high >= 0xd800 && high < 0xdc00 && read_escape(p + 6, end, &low) &&
            low >= 0xdc00 && low < 0xe000) {
            to += utf8_put(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), to);
            p += 12;
        } else if (read_escape(p, end, &high) && high >= 0xd800 && high < 0xe000) {
            to += utf8_put(0xfffd, to);
            p += 6;
        } else {
            for (const char *behind = end - p < 2 ? end : p + 2; p < behind;)
                *to++ = *p++;
        }
    }
    *to = '\0';
    return (size_t)(to - text);
}

static size_t skip_space(const char *text, size_t len, size_t at)
{
    while (at < len && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n'))
        at++;
    return at;
}

/* kubectl reads line by line, and a carriage return before the line feed is none of the line's: a line that
 * ends in two of them is one line, which YAML would call two. */
static size_t drop_returns(char *text, size_t len)
{
    const char *first = memchr(text, '\r', len); /* nearly never there */
    const size_t start = first != NULL ? (size_t)(first - text) : len;
    char *to = text + start;
    for (size_t i = start; i < len; i++) {
        if (text[i] != '\r' || i + 1 == len || text[i + 1] != '\n')
            *to++ = text[i];
    }
    *to = '\0';
    return (size_t)(to - text);
}

static bool is_json(const char *text, size_t len)
{
    const size_t first = skip_space(text, len, 0);
    return first < len && (text[first] == '{' || text[first] == '[');
}

bool yaml_text_is_prepared(const char *text, size_t len)
{
    return memchr(text, is_json(text, len) ? '\\' : '\r', len) == NULL;
}

size_t yaml_text_prepare(char *text, size_t len)
{
    return is_json(text, len) ? join_surrogates(text, len) : drop_returns(text, len);
}

/* The place behind a JSON string whose quote is at `at`. */
static size_t skip_string(const char *text, size_t len, size_t at)
{
    for (at++; at < len && text[at] != '"'; at++)
        at += text[at] == '\\' ? 1 : 0;
    return at < len ? at + 1 : len;
}

/* The place behind a JSON object whose brace is at `at`, or the text's end. */
static size_t skip_object(const char *text, size_t len, size_t at)
{
    size_t depth = 0;
    while (at < len) {
        if (text[at] == '"') {
            at = skip_string(text, len, at);
            continue;
        }
        depth += text[at] == '{';
        depth -= text[at] == '}';
        at++;
        if (depth == 0)
            break;
    }
    return at;
}

static bool begins_with(const char *at, const char *end, const char *word)
{
    const size_t len = strlen(word);
    return (size_t)(end - at) >= len && memcmp(at, word, len) == 0;
}

/* The place behind the next line of dashes that a byte order mark follows; or the text's end. */
static size_t skip_documents(const char *text, size_t len, size_t at)
{
    const char *end = text + len;
    bool is_behind_dashes = false;
    for (const char *line = text + at, *feed; line < end; line = feed + 1) {
        if (is_behind_dashes && begins_with(line, end, mark))
            return (size_t)(line - text);
        is_behind_dashes = begins_with(line, end, "---");
        feed = memchr(line, '\n', (size_t)(end - line));
        if (!feed)
            break;
    }
    return len;
}

size_t yaml_text_part(const char *text, size_t len, size_t *at)
{
    if (begins_with(text + *at, text + len, mark))
        *at += sizeof mark - 1;
    size_t first = skip_space(text, len, *at);
    if (first == len || text[first] != '{')
        return skip_documents(text, len, *at);
    size_t next = skip_space(text, len, skip_object(text, len, first));
    return next < len && text[next] == '{' ? next : skip_documents(text, len, *at);
}
