/*
 * jsonplain: finds the end of a run of plain characters in a JSON string, eight bytes at a time. Pure.
 *
 *     at = jsonplain_end(at, end, false); // *at is a quotation mark, a backslash or a control character
 *     at = jsonplain_end(at, end, true);  // or a byte of a character that is not ASCII
 */
#ifndef BYTES_JSONPLAIN_H
#define BYTES_JSONPLAIN_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Not 0 if one of the eight bytes ends the run. The lowest bit that is set is then the highest bit of the
 * first such byte. */
static inline uint64_t jsonplain_find(const char *bytes, bool is_ascii)
{
    const uint64_t ones = UINT64_MAX / UCHAR_MAX, highs = ones << 7;
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    const uint64_t quote = word ^ ones * '"', backslash = word ^ ones * '\\';
    const uint64_t found =
        ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | ((word - ones * ' ') & ~word);
    return (is_ascii ? found | word : found) & highs;
}

static inline bool jsonplain_is_special(char c, bool is_ascii)
{
    return c == '"' || c == '\\' || (unsigned char)c < ' ' || (is_ascii && (unsigned char)c > SCHAR_MAX);
}

/* The first byte that is not plain; end if there is none. is_ascii: only ASCII is plain. */
static inline const char *jsonplain_end(const char *at, const char *end, bool is_ascii)
{
    enum { WORD = 8 };
    for (; end - at >= WORD; at += WORD) {
        const uint64_t found = jsonplain_find(at, is_ascii);
        if (found != 0)
            return at + __builtin_ctzll(found) / CHAR_BIT;
    }
    while (at < end && !jsonplain_is_special(*at, is_ascii))
        at++;
    return at;
}

#endif
