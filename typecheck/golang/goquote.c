#include "typecheck/golang/goquote.h"

#include <stdio.h>
#include <string.h>

#include "bytes/utf8.h"
#include "typecheck/base/arena.h"
#include "typecheck/base/unicode.h"

/* It stands for itself. */
static bool is_plain(unsigned char c)
{
    return c >= ' ' && c < 0x7F && c != '"' && c != '\\';
}

static void put_ascii(unsigned char c, char *out)
{
    static const char special[] = "\a\b\f\n\r\t\v\\\"", letters[] = "abfnrtv\\\"";
    const char *found = c == '\0' ? NULL : strchr(special, c);
    if (found != NULL)
        snprintf(out, GOQUOTE_CHARACTER_BYTES, "\\%c", letters[found - special]);
    else
        snprintf(out, GOQUOTE_CHARACTER_BYTES, is_plain(c) ? "%c" : "\\x%02x", c);
}

static void put_text(const char *at, size_t len, char *out)
{
    memcpy(out, at, len);
    out[len] = '\0';
}

size_t goquote_character(struct str rest, char out[GOQUOTE_CHARACTER_BYTES])
{
    uint32_t code;
    const size_t len = utf8_next(rest.at, rest.len, &code);
    const unsigned char first = (unsigned char)rest.at[0];
    if (first < 0x80)
        put_ascii(first, out);
    else if (len == 1) /* no UTF-8 */
        snprintf(out, GOQUOTE_CHARACTER_BYTES, "\\x%02x", first);
    else if (unicode_is_printable((int32_t)code))
        put_text(rest.at, len, out);
    else
        snprintf(out, GOQUOTE_CHARACTER_BYTES, code <= 0xFFFF ? "\\u%04x" : "\\U%08x", code);
    return len;
}

void goquote_add(struct text *t, struct str s)
{
    char quoted[GOQUOTE_CHARACTER_BYTES];
    text_add_char(t, '"');
    while (s.len != 0) {
        size_t len = 0;
        while (len < s.len && is_plain((unsigned char)s.at[len]))
            len++;
        arena_pay(t->arena, len);
        text_add(t, (struct str){s.at, len});
        s = str_skip(s, len);
        if (s.len == 0)
            break;
        arena_step(t->arena);
        s = str_skip(s, goquote_character(s, quoted));
        text_add(t, str_of(quoted));
    }
    text_add_char(t, '"');
}
