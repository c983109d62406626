#include "typecheck/run/goquote.h"

#include <string.h>

#include "typecheck/base/arena.h"

/* The first byte of the last characters of two bytes that are known: up to U+024F. */
#define LAST_KNOWN 0xC9

/* ASCII that is not printed as it is. */
static bool add_escape(struct text *t, unsigned char c)
{
    static const char special[] = "\a\b\f\n\r\t\v\\\"", letters[] = "abfnrtv\\\"";
    const char *found = c == '\0' ? NULL : strchr(special, c);
    if (found != NULL)
        text_addf(t, "\\%c", letters[found - special]);
    else if (c < ' ' || c == 0x7F)
        text_addf(t, "\\x%02x", c);
    return found != NULL || c < ' ' || c == 0x7F;
}

/* Of two bytes: control characters, the space that does not break and the soft hyphen are escaped. */
static void add_wide(struct text *t, struct str s, size_t at)
{
    unsigned code = ((unsigned char)s.at[at] & 0x1Fu) << 6 | ((unsigned char)s.at[at + 1] & 0x3Fu);
    if (code <= 0xA0 || code == 0xAD)
        text_addf(t, "\\u%04x", code);
    else
        text_add(t, (struct str){s.at + at, 2});
}

bool goquote_add(struct text *t, struct str s)
{
    arena_pay_bytes(t->arena, s.len);
    text_add_char(t, '"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.at[i];
        if (c > LAST_KNOWN)
            return false;
        if (c >= 0x80)
            add_wide(t, s, i++);
        else if (!add_escape(t, c))
            text_add_char(t, s.at[i]);
    }
    text_add_char(t, '"');
    return true;
}
