#include "client/base/plain.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "bytes/utf8.h"
#include "client/base/cicommand.h"
#include "client/base/mem.h"

/* Sorted: controls, and characters that Unicode calls default ignorable or a format character. */
static const struct range {
    uint32_t from, to;
} hidden[] = {
    {0x0, 0x1f},        /* C0 */
    {0x7f, 0x9f},       /* DEL, C1 */
    {0xad, 0xad},       /* soft hyphen */
    {0x34f, 0x34f},     /* combining grapheme joiner */
    {0x600, 0x605},     /* Arabic number signs */
    {0x61c, 0x61c},     /* Arabic letter mark */
    {0x6dd, 0x6dd},     /* Arabic end of ayah */
    {0x70f, 0x70f},     /* Syriac abbreviation mark */
    {0x890, 0x891},     /* Arabic currency marks above */
    {0x8e2, 0x8e2},     /* Arabic disputed end of ayah */
    {0x115f, 0x1160},   /* Hangul fillers */
    {0x17b4, 0x17b5},   /* Khmer inherent vowels */
    {0x180b, 0x180f},   /* Mongolian selectors, vowel separator */
    {0x200b, 0x200f},   /* zero width, marks of direction */
    {0x2028, 0x202e},   /* line and paragraph separator, embeddings and overrides */
    {0x2060, 0x206f},   /* word joiner, invisible operators, isolates */
    {0x3164, 0x3164},   /* Hangul filler */
    {0xfe00, 0xfe0f},   /* variation selectors */
    {0xfeff, 0xfeff},   /* byte order mark */
    {0xffa0, 0xffa0},   /* half width Hangul filler */
    {0xfff0, 0xfffb},   /* unassigned ignorables, annotations */
    {0x110bd, 0x110bd}, /* Kaithi number sign */
    {0x110cd, 0x110cd}, /* Kaithi number sign above */
    {0x13430, 0x1343f}, /* Egyptian format controls */
    {0x1bca0, 0x1bca3}, /* shorthand format controls */
    {0x1d173, 0x1d17a}, /* musical format controls */
    {0xe0000, 0xe0fff}, /* tags, variation selectors */
};

bool plain_is_hidden(uint32_t code)
{
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        if (code <= hidden[i].to)
            return code >= hidden[i].from;
    }
    return false;
}

size_t plain_spell(uint32_t code, enum plain_form form, char out[PLAIN_SPELLED_BYTES])
{
    enum { HIGH = 0xd800, LOW = 0xdc00, ABOVE = 0x10000 };
    int len;
    if (form == PLAIN_JSON && code >= ABOVE)
        len = snprintf(out, PLAIN_SPELLED_BYTES, "\\u%04x\\u%04x", HIGH + ((code - ABOVE) >> 10),
                       LOW + ((code - ABOVE) & 0x3ff));
    else if (form == PLAIN_TEXT && code <= 0xff)
        len = snprintf(out, PLAIN_SPELLED_BYTES, "\\x%02x", code);
    else if (code < ABOVE)
        len = snprintf(out, PLAIN_SPELLED_BYTES, "\\u%04x", code);
    else
        len = snprintf(out, PLAIN_SPELLED_BYTES, "\\U%08x", code);
    return (size_t)len;
}

/* The character at text, as utf8_next has it; *shown: the character that it counts as; for a bad byte, its
 * value. */
static size_t next(const char *text, size_t len, uint32_t *shown, bool *is_bad)
{
    uint32_t code;
    const size_t n = utf8_next(text, len, &code);
    *is_bad = n == 1 && code == UTF8_REPLACEMENT;
    *shown = *is_bad ? (unsigned char)*text : code;
    return n;
}

/* Returns how many bytes from here on are printable ASCII. Eight are looked at at a time: the output of a
 * check can have tens of megabytes. */
static size_t printable_run(const char *text, size_t len)
{
    enum { WORD = 8 };
    const uint64_t ones = UINT64_MAX / UCHAR_MAX, highs = ones << (CHAR_BIT - 1);
    size_t n = 0;
    for (; len - n >= WORD; n += WORD) {
        uint64_t word;
        memcpy(&word, text + n, sizeof word);
        if (((((word - ones * ' ') & ~word) | word | (word + ones)) & highs) != 0) /* DEL + 1 is no ASCII */
            break;
    }
    while (n < len && text[n] >= ' ' && text[n] < 0x7f)
        n++;
    return n;
}

/* The bytes of keep, which are ASCII, may stay. */
static bool has_hidden(const char *text, const char *keep)
{
    const size_t len = strlen(text);
    for (size_t at = 0; at < len;) {
        uint32_t code;
        bool is_bad;
        at += printable_run(text + at, len - at);
        if (at == len)
            return false;
        const char *first = text + at;
        const size_t n = next(first, len - at, &code, &is_bad);
        if (is_bad || (plain_is_hidden(code) && (n > 1 || strchr(keep, *first) == NULL)))
            return true;
        at += n;
    }
    return false;
}

bool plain_has_hidden(const char *text)
{
    return has_hidden(text, "");
}

/* The bytes of keep stay as they are. */
static char *spell_all(const char *text, const char *keep, enum plain_form form)
{
    enum { WIDEST = 6 }; /* for one byte: "\u0080", of a bad one; a longer form has more bytes */
    const size_t len = strlen(text);
    size_t used = 0;
    char *out = mem_array(len * WIDEST + PLAIN_SPELLED_BYTES, 1);
    for (size_t at = 0, n; at < len; at += n) {
        uint32_t code;
        bool is_bad;
        n = printable_run(text + at, len - at);
        if (n > 0) {
            memcpy(out + used, text + at, n);
            used += n;
            continue;
        }
        n = next(text + at, len - at, &code, &is_bad);
        if (is_bad && form == PLAIN_JSON)
            code = UTF8_REPLACEMENT;
        if (is_bad || (plain_is_hidden(code) && (n > 1 || strchr(keep, text[at]) == NULL))) {
            used += plain_spell(code, form, out + used);
        } else {
            memcpy(out + used, text + at, n);
            used += n;
        }
    }
    return out;
}

/* Replaces each of these bytes, which are ASCII, by its text. */
struct replacement {
    char byte;
    const char *text;
};

static char *replace(const char *text, const struct replacement *list, size_t count)
{
    enum { WIDEST = 6 }; /* "&quot;" */
    size_t used = 0;
    char *out = mem_array(strlen(text) + 1, WIDEST);
    for (const char *p = text; *p != '\0'; p++) {
        size_t i = 0;
        while (i < count && list[i].byte != *p)
            i++;
        const size_t len = i < count ? strlen(list[i].text) : 1;
        memcpy(out + used, i < count ? list[i].text : p, len);
        used += len;
    }
    return out;
}

char *plain_text(const char *text)
{
    return spell_all(text, "\n", PLAIN_TEXT);
}

char *plain_line(const char *text)
{
    return spell_all(text, "", PLAIN_TEXT);
}

char *plain_json(const char *json)
{
    static const char between_tokens[] = "\n\t\r";
    if (!has_hidden(json, between_tokens) && !cicommand_may_be_in(json))
        return NULL;
    return cicommand_replace(spell_all(json, between_tokens, PLAIN_JSON), "\\u005b");
}

char *plain_xml(const char *text)
{
    static const struct replacement list[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\n', "&#10;"}};
    cleanup_mem char *shown = plain_text(text);
    /* U+FFFE and U+FFFF are no characters of XML */
    for (char *p = shown; (p = strstr(p, "\xef\xbf")) != NULL; p += 2) {
        if (p[2] == '\xbe' || p[2] == '\xbf')
            p[2] = '\xbd';
    }
    return cicommand_replace(replace(shown, list, sizeof list / sizeof *list), "&#91;");
}

char *plain_github(const char *text, bool is_property)
{
    static const struct replacement list[] = {
        {'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}, {':', "%3A"}, {',', "%2C"}};
    enum { IN_ALL = 3, IN_PROPERTIES = 5 };
    cleanup_mem char *escaped = replace(text, list, is_property ? IN_PROPERTIES : IN_ALL);
    return cicommand_replace(plain_line(escaped), "\\x5b");
}

char *plain_sarif(const char *text)
{
    static const struct replacement list[] = {{'\\', "\\\\"}, {'[', "\\["}, {']', "\\]"}};
    return replace(text, list, sizeof list / sizeof *list);
}

size_t plain_run(const char *text, size_t len)
{
    size_t n = 0;
    while (n < len && text[n] >= ' ' && text[n] < 0x7f && text[n] != '"' && text[n] != '\\')
        n++;
    return n;
}
