/*
 * jsonplain: the end of a run of plain characters in a JSON string, eight bytes at a time. Pure.
 *
 *     at = jsonplain_end(at, end); // *at is a quotation mark, a backslash or a control character
 */
#ifndef CLIENT_TEXT_JSONPLAIN_H
#define CLIENT_TEXT_JSONPLAIN_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Not 0 if one of the eight bytes ends the run. The lowest bit that is set is then the highest bit of the
 * first such byte. */
static inline uint64_t jsonplain_find(const char *bytes)
{
    const uint64_t ones = UINT64_MAX / UCHAR_MAX, highs = ones << 7;
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    const uint64_t quote = word ^ ones * '"', backslash = word ^ ones * '\\';
    return (((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | ((word - ones * ' ') & ~word)) &
           highs;
}

static inline bool jsonplain_is_special(char c)
{
    return c == '"' || c == '\\' || (unsigned char)c < ' ';
}

/* The first byte that is not plain; end if there is none. */
static inline const char *jsonplain_end(const char *at, const char *end)
{
    enum { WORD = 8 };
    for (; end - at >= WORD; at += WORD) {
        const uint64_t found = jsonplain_find(at);
        if (found != 0)
            return at + __builtin_ctzll(found) / CHAR_BIT;
    }
    while (at < end && !jsonplain_is_special(*at))
        at++;
    return at;
}

#endif
