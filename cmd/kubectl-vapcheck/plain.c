#include "cmd/kubectl-vapcheck/plain.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "client/mem.h"
#include "client/utf8.h"

enum { WIDEST = 4 }; /* "\x1b", or a character of 4 bytes */

static char *plain(const char *text, bool keeps_lines)
{
    size_t len = strlen(text), room = len * WIDEST + 1, used = 0;
    char *out = mem_array(room, 1);
    for (size_t at = 0, n; at < len; at += n) {
        uint32_t code;
        n = utf8_next(text + at, len - at, &code);
        bool is_control = code < 0x20 || (code >= 0x7f && code <= 0x9f);
        bool is_broken = n == 1 && code == UTF8_REPLACEMENT;
        if ((is_control && !(code == '\n' && keeps_lines)) || is_broken) {
            unsigned shown = is_broken ? (unsigned char)text[at] : code;
            used += (size_t)snprintf(out + used, room - used, "\\x%02x", shown);
        } else {
            memcpy(out + used, text + at, n);
            used += n;
        }
    }
    return out;
}

char *plain_text(const char *text)
{
    return plain(text, true);
}

char *plain_line(const char *text)
{
    return plain(text, false);
}
