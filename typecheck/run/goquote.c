#include "typecheck/run/goquote.h"

#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/base/unicode.h"

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

/* A character that is not ASCII, or a byte that is no UTF-8. */
static void add_wide(struct text *t, struct str s, int32_t rune, size_t len)
{
    if (len == 1)
        text_addf(t, "\\x%02x", (unsigned char)s.at[0]);
    else if (unicode_is_printable(rune))
        text_add(t, (struct str){s.at, len});
    else
        text_addf(t, rune <= 0xFFFF ? "\\u%04x" : "\\U%08x", (unsigned)rune);
}

void goquote_add(struct text *t, struct str s)
{
    size_t len;
    text_add_char(t, '"');
    for (size_t i = 0; i < s.len; i += len) {
        struct str rest = {s.at + i, s.len - i};
        int32_t rune = unicode_decode(rest.at, rest.len, &len);
        arena_step(t->arena);
        if ((unsigned char)rest.at[0] >= 0x80)
            add_wide(t, rest, rune, len);
        else if (!add_escape(t, (unsigned char)rest.at[0]))
            text_add_char(t, rest.at[0]);
    }
    text_add_char(t, '"');
}
