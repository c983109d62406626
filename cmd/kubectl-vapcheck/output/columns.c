#include "cmd/kubectl-vapcheck/output/columns.h"

#include "bytes/utf8.h"
#include "client/base/plain.h"

/* The ranges of characters that do not have one column, sorted. */
static const struct range {
    uint32_t from, to;
    size_t columns;
} ranges[] = {
    {0x300, 0x36f, 0},     /* combining diacritical marks */
    {0x483, 0x489, 0},     /* Cyrillic */
    {0x591, 0x5bd, 0},     /* Hebrew */
    {0x610, 0x61a, 0},     /* Arabic */
    {0x64b, 0x65f, 0},     /* Arabic */
    {0x6d6, 0x6dc, 0},     /* Arabic */
    {0x6df, 0x6e4, 0},     /* Arabic */
    {0x900, 0x902, 0},     /* Devanagari */
    {0x941, 0x948, 0},     /* Devanagari */
    {0x94d, 0x94d, 0},     /* Devanagari */
    {0xe34, 0xe3a, 0},     /* Thai */
    {0xe47, 0xe4e, 0},     /* Thai */
    {0x1100, 0x115f, 2},   /* Hangul */
    {0x1ab0, 0x1aff, 0},   /* combining diacritical marks, extended */
    {0x1dc0, 0x1dff, 0},   /* combining diacritical marks, supplement */
    {0x20d0, 0x20ff, 0},   /* combining marks for symbols */
    {0x231a, 0x231b, 2},   /* watch, hourglass */
    {0x23e9, 0x23ec, 2},   /* buttons */
    {0x2614, 0x2615, 2},   /* umbrella, hot beverage */
    {0x2648, 0x2653, 2},   /* zodiac */
    {0x26a1, 0x26a1, 2},   /* high voltage */
    {0x26d4, 0x26d4, 2},   /* no entry */
    {0x2705, 0x2705, 2},   /* check mark */
    {0x270a, 0x270b, 2},   /* hands */
    {0x2728, 0x2728, 2},   /* sparkles */
    {0x274c, 0x274c, 2},   /* cross mark */
    {0x2753, 0x2757, 2},   /* question and exclamation marks */
    {0x2e80, 0x3029, 2},   /* CJK radicals and punctuation */
    {0x302a, 0x302d, 0},   /* tone marks */
    {0x302e, 0x303e, 2},   /* CJK punctuation */
    {0x3041, 0x3098, 2},   /* Hiragana */
    {0x3099, 0x309a, 0},   /* voiced sound marks */
    {0x309b, 0xa4cf, 2},   /* Kana, Hangul, ideographs, Yi */
    {0xa960, 0xa97c, 2},   /* Hangul, extended */
    {0xac00, 0xd7a3, 2},   /* Hangul syllables */
    {0xf900, 0xfaff, 2},   /* compatibility ideographs */
    {0xfe20, 0xfe2f, 0},   /* combining half marks */
    {0xfe30, 0xfe6f, 2},   /* compatibility forms */
    {0xff01, 0xff60, 2},   /* full-width forms */
    {0xffe0, 0xffe6, 2},   /* full-width signs */
    {0x1f300, 0x1f64f, 2}, /* pictographs, emoticons */
    {0x1f680, 0x1f6ff, 2}, /* transport */
    {0x1f7e0, 0x1f7eb, 2}, /* coloured circles and squares */
    {0x1f900, 0x1faff, 2}, /* pictographs, supplement */
    {0x20000, 0x3fffd, 2}, /* ideographs, extended */
};

size_t columns_of(uint32_t code)
{
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges && code >= ranges[i].from; i++) {
        if (code <= ranges[i].to)
            return ranges[i].columns;
    }
    return 1;
}

size_t columns_count(const char *text, size_t len)
{
    size_t columns = 0;
    for (size_t at = 0; at < len;) {
        uint32_t code;
        const size_t plain = plain_run(text + at, len - at);
        columns += plain;
        at += plain;
        if (at == len)
            break;
        at += utf8_next(text + at, len - at, &code);
        columns += columns_of(code);
    }
    return columns;
}
