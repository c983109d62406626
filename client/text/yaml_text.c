#include "client/text/yaml_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "bytes/utf8.h"

static const char mark[] = "\xef\xbb\xbf";

enum { MARK_BYTES = 3 };

static int hex4(const char *p, const char *end, uint32_t *code)
{
    *code = 0;
    if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
        return -1;
    for (int i = 2; i < 6; i++) {
        const char *digits = "0123456789abcdef";
        const char *at = p[i] ? strchr(digits, p[i] | 0x20) : NULL;
        if (!at)
            return -1;
        *code = *code << 4 | (uint32_t)(at - digits);
    }
    return 0;
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
        if (*p == '\\' && hex4(p, end, &high) == 0 && high >= 0xd800 && high < 0xdc00 &&
            hex4(p + 6, end, &low) == 0 && low >= 0xdc00 && low < 0xe000) {
            to += utf8_put(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), to);
            p += 12;
        } else if (*p == '\\' && hex4(p, end, &high) == 0 && high >= 0xd800 && high < 0xe000) {
            to += utf8_put(0xfffd, to);
            p += 6;
        } else if (*p == '\\' && p + 1 < end) {
            *to++ = *p++;
            *to++ = *p++;
        } else {
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

/* kubectl reads line by line, and a carriage return before the line feed is none of the line's: what ends
 * in two of them ends one line, which YAML would call two. */
static size_t drop_returns(char *text, size_t len)
{
    char *to = text;
    for (size_t i = 0; i < len; i++) {
        if (text[i] != '\r' || i + 1 == len || text[i + 1] != '\n')
            *to++ = text[i];
    }
    *to = '\0';
    return (size_t)(to - text);
}

size_t yaml_text_prepare(char *text, size_t len)
{
    size_t first = skip_space(text, len, 0);
    bool is_json = first < len && (text[first] == '{' || text[first] == '[');
    return is_json ? join_surrogates(text, len) : drop_returns(text, len);
}

/* Behind a JSON string whose quote is at `at`. */
static size_t skip_string(const char *text, size_t len, size_t at)
{
    for (at++; at < len && text[at] != '"'; at++)
        at += text[at] == '\\' ? 1 : 0;
    return at < len ? at + 1 : len;
}

/* Behind a JSON object whose brace is at `at`, or the text's end. */
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

/* Whether the line before the one that begins at `line` begins with dashes; `from` is where the text does. */
static bool follows_dashes(const char *from, const char *line)
{
    if (line == from || line[-1] != '\n')
        return false;
    const char *before = line - 1;
    while (before > from && before[-1] != '\n')
        before--;
    return line - before >= 4 && memcmp(before, "---", 3) == 0;
}

/* Behind the next line of dashes that a byte order mark follows; or the text's end. */
static size_t skip_documents(const char *text, size_t len, size_t at)
{
    const char *found = text + at;
    while ((found = memmem(found, (size_t)(text + len - found), mark, MARK_BYTES)) != NULL) {
        if (follows_dashes(text + at, found))
            return (size_t)(found - text);
        found += MARK_BYTES;
    }
    return len;
}

size_t yaml_text_part(const char *text, size_t len, size_t *at)
{
    if (len - *at >= MARK_BYTES && memcmp(text + *at, mark, MARK_BYTES) == 0)
        *at += MARK_BYTES;
    size_t first = skip_space(text, len, *at);
    if (first == len || text[first] != '{')
        return skip_documents(text, len, *at);
    size_t next = skip_space(text, len, skip_object(text, len, first));
    return next < len && text[next] == '{' ? next : skip_documents(text, len, *at);
}
