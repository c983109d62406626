#include "client/base/utf8.h"

#include <string.h>

static size_t sequence_length(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xc2 && lead <= 0xdf)
        return 2;
    if (lead >= 0xe0 && lead <= 0xef)
        return 3;
    if (lead >= 0xf0 && lead <= 0xf4)
        return 4;
    return 0;
}

size_t utf8_next(const char *bytes, size_t len, uint32_t *code)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char lead = (unsigned char)bytes[0];
    const size_t n = sequence_length(lead);
    *code = UTF8_REPLACEMENT;
    if (n == 0 || n > len)
        return 1;
    if (n == 1) {
        *code = lead;
        return 1;
    }
    uint32_t value = lead & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        const unsigned char next = (unsigned char)bytes[i];
        if ((next & 0xc0) != 0x80)
            return 1;
        value = (value << 6) | (next & 0x3f);
    }
    if (value < smallest[n] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
        return 1;
    *code = value;
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
    for (size_t i = 0; i < len; count++) {
        uint32_t code;
        i += utf8_next(bytes + i, len - i, &code);
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
