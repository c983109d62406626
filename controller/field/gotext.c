#include "controller/field/gotext.h"

#include <stdbool.h>
#include <string.h>

#include "client/base/utf8.h"
#include "client/text/jsonval.h"

/* Beyond ASCII: controls, separators, formatting characters, surrogates, private use. */
static const struct {
    uint32_t first, last;
} unprintable[] = {
    {0x80, 0xA0},     {0xAD, 0xAD},       {0x600, 0x605},      {0x61C, 0x61C},   {0x6DD, 0x6DD},
    {0x70F, 0x70F},   {0x1680, 0x1680},   {0x180E, 0x180E},    {0x2000, 0x200F}, {0x2028, 0x202F},
    {0x205F, 0x206F}, {0x3000, 0x3000},   {0xD800, 0xF8FF},    {0xFEFF, 0xFEFF}, {0xFFF0, 0xFFFB},
    {0xFFFE, 0xFFFF}, {0xE0000, 0xE0FFF}, {0xF0000, 0x10FFFF},
};

bool gotext_is_printable(uint32_t code)
{
    if (code < 0x80)
        return code >= 0x20 && code != 0x7F;
    for (size_t i = 0; i < sizeof unprintable / sizeof *unprintable; i++) {
        if (code >= unprintable[i].first && code <= unprintable[i].last)
            return false;
    }
    return true;
}

/* The letter of a short escape (\n), or 0. */
static char short_escape(uint32_t code, const char *codes, const char *letters)
{
    const char *found = code == 0 || code > 0x7F ? NULL : strchr(codes, (int)code);
    if (found == NULL)
        return '\0';
    return letters[found - codes];
}

void gotext_put_quoted(struct buf *b, const char *text, size_t len)
{
    buf_putc(b, '"');
    for (size_t at = 0, n; at < len; at += n) {
        uint32_t code;
        n = utf8_next(text + at, len - at, &code);
        char letter = short_escape(code, "\a\b\f\n\r\t\v\\\"", "abfnrtv\\\"");
        if (n == 1 && code == UTF8_REPLACEMENT)
            buf_printf(b, "\\x%02x", (unsigned char)text[at]);
        else if (letter != '\0')
            buf_printf(b, "\\%c", letter);
        else if (gotext_is_printable(code))
            buf_append(b, text + at, n);
        else if (code < 0x80)
            buf_printf(b, "\\x%02x", code);
        else
            buf_printf(b, code < 0x10000 ? "\\u%04x" : "\\U%08x", code);
    }
    buf_putc(b, '"');
}

static void put_string(struct buf *b, const char *text, size_t len)
{
    buf_putc(b, '"');
    for (size_t at = 0, n; at < len; at += n) {
        uint32_t code;
        n = utf8_next(text + at, len - at, &code);
        char letter = short_escape(code, "\b\f\n\r\t\\\"", "bfnrt\\\"");
        if (n == 1 && code == UTF8_REPLACEMENT)
            buf_puts(b, "\\ufffd");
        else if (letter != '\0')
            buf_printf(b, "\\%c", letter);
        else if (code < 0x20 || code == '<' || code == '>' || code == '&' || code == 0x2028 || code == 0x2029)
            buf_printf(b, "\\u%04x", code);
        else
            buf_append(b, text + at, n);
    }
    buf_putc(b, '"');
}

void gotext_put_json(struct buf *b, struct json_object *value)
{
    const char *separator = "";
    if (json_object_is_type(value, json_type_string)) {
        put_string(b, json_object_get_string(value), (size_t)json_object_get_string_len(value));
    } else if (json_object_is_type(value, json_type_array)) {
        buf_putc(b, '[');
        for (size_t i = 0; i < jsonval_length(value); i++, separator = ",") {
            buf_puts(b, separator);
            gotext_put_json(b, jsonval_at(value, i));
        }
        buf_putc(b, ']');
    } else if (json_object_is_type(value, json_type_object)) {
        buf_putc(b, '{');
        json_object_object_foreach(value, key, member)
        {
            buf_puts(b, separator);
            put_string(b, key, strlen(key));
            buf_putc(b, ':');
            gotext_put_json(b, member);
            separator = ",";
        }
        buf_putc(b, '}');
    } else {
        buf_puts(b, json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN));
    }
}

struct str gotext_member(struct json_object *object, const char *key)
{
    struct json_object *value = jsonval_get(object, key);
    const char *text = jsonval_text(value);
    return text == NULL ? STR("") : (struct str){text, (size_t)json_object_get_string_len(value)};
}

/* unicode.IsSpace, of UTF-8; returns the character's length or 0. */
static size_t space_len(const char *at, size_t left)
{
    /* U+0085, U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000 */
    static const char *const wide[] = {"\xc2\x85",     "\xc2\xa0",     "\xe1\x9a\x80", "\xe2\x80\x80",
                                       "\xe2\x80\x81", "\xe2\x80\x82", "\xe2\x80\x83", "\xe2\x80\x84",
                                       "\xe2\x80\x85", "\xe2\x80\x86", "\xe2\x80\x87", "\xe2\x80\x88",
                                       "\xe2\x80\x89", "\xe2\x80\x8a", "\xe2\x80\xa8", "\xe2\x80\xa9",
                                       "\xe2\x80\xaf", "\xe2\x81\x9f", "\xe3\x80\x80"};
    if (left == 0)
        return 0;
    if (*at == ' ' || (*at >= '\t' && *at <= '\r'))
        return 1;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        size_t len = strlen(wide[i]);
        if (len <= left && memcmp(at, wide[i], len) == 0)
            return len;
    }
    return 0;
}

struct str gotext_trimmed(struct str s)
{
    for (size_t n; (n = space_len(s.at, s.len)) != 0; s.len -= n)
        s.at += n;
    for (bool again = true; again;) {
        again = false;
        for (size_t n = 1; n <= 3 && n <= s.len && !again; n++) {
            if (space_len(s.at + s.len - n, n) == n) {
                s.len -= n;
                again = true;
            }
        }
    }
    return s;
}
