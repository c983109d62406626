#include "bytes/utf8.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { WORD = 8 };

/* Returns true if eight bytes are eight characters. */
static bool is_ascii(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return (word & (UINT64_MAX / UCHAR_MAX << 7)) == 0;
}

size_t utf8_len(const char *bytes, size_t len)
{
    const unsigned char *s = (const unsigned char *)bytes;
    const size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    unsigned char low = 0x80, high = 0xbf; /* the range of the second byte */
    if ((n > 1 && s[0] < 0xc2) || s[0] > 0xf4 || len < n)
        return 0;
    if (s[0] == 0xe0)
        low = 0xa0;
    else if (s[0] == 0xed)
        high = 0x9f;
    else if (s[0] == 0xf0)
        low = 0x90;
    else if (s[0] == 0xf4)
        high = 0x8f;
    if (n > 1 && (s[1] < low || s[1] > high))
        return 0;
    for (size_t i = 2; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    }
    return n;
}

size_t utf8_next(const char *bytes, size_t len, uint32_t *code)
{
    if (len > 0 && (unsigned char)bytes[0] < 0x80) { /* nearly always */
        *code = (unsigned char)bytes[0];
        return 1;
    }
    const size_t n = utf8_len(bytes, len);
    if (n == 0) {
        *code = UTF8_REPLACEMENT;
        return 1;
    }
    *code = (unsigned char)bytes[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++)
        *code = *code << 6 | ((unsigned char)bytes[i] & 0x3f);
    return n;
}

size_t utf8_cut(const char *text, size_t len, size_t cap)
{
    if (len <= cap)
        return len;
    size_t at = cap;
    while (at > 0 && cap - at < 3 && ((unsigned char)text[at] & 0xc0) == 0x80)
        at--;
    return ((unsigned char)text[at] & 0xc0) == 0x80 ? cap : at;
}

size_t utf8_count(const char *bytes, size_t len)
{
    size_t count = 0;
    for (size_t i = 0; i < len;) {
        uint32_t code;
        const bool has_word = len - i >= WORD && is_ascii(bytes + i);
        count += has_word ? WORD : 1;
        i += has_word ? WORD : utf8_next(bytes + i, len - i, &code);
    }
    return count;
}

size_t utf8_skip(const char *bytes, size_t len, size_t count)
{
    size_t at = 0;
    for (; count > 0 && at < len; count--) {
        uint32_t code;
        at += utf8_next(bytes + at, len - at, &code);
    }
    return at;
}

size_t utf8_back(const char *text, size_t at, size_t count)
{
    for (; count > 0 && at > 0; count--) {
        do {
            at--;
        } while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80);
    }
    return at;
}

size_t utf8_put(uint32_t code, char *out)
{
    const size_t len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = len - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(len == 1 ? code : (0xf00 >> len) | code);
    return len;
}
