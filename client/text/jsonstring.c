#include "client/text/jsonstring.h"

#include <stdint.h>
#include <string.h>

#include "bytes/hex.h"
#include "bytes/jsonplain.h"
#include "bytes/utf8.h"

enum { UTF8_BYTES = 4 };

/* Four hexadecimal digits; 0 is not taken. */
static bool read_code(const char **at, const char *end, uint32_t *code)
{
    enum { DIGITS = 4 };
    if (end - *at < DIGITS || !hex_read(*at, DIGITS, code))
        return false;
    *at += DIGITS;
    return *code != 0 && (*code < 0xd800 || *code > 0xdfff);
}

/* Reads the rest of an escape, behind the backslash. */
static bool read_escape(const char **at, const char *end, struct buf *decoded)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    if (*at == end || **at == '\0')
        return false;
    const char letter = *(*at)++, *found = strchr(letters, letter);
    if (letter != 'u')
        return found != NULL && buf_putc(decoded, meant[found - letters]) == 0;
    uint32_t code;
    char bytes[UTF8_BYTES];
    return read_code(at, end, &code) && buf_append(decoded, bytes, utf8_put(code, bytes)) == 0;
}

bool jsonstring_read(const char **at, const char *end, bool is_ascii, struct buf *decoded,
                     const char **content, size_t *len)
{
    const char *begin = *at, *p = jsonplain_end(begin, end, is_ascii);
    *content = begin;
    *len = (size_t)(p - begin);
    if (p < end && *p == '"') {
        *at = p + 1;
        return true;
    }
    buf_reset(decoded);
    while (p < end && *p == '\\') {
        if (buf_append(decoded, begin, (size_t)(p - begin)) != 0)
            return false;
        p++;
        if (!read_escape(&p, end, decoded))
            return false;
        begin = p;
        p = jsonplain_end(p, end, is_ascii);
    }
    if (p == end || *p != '"' || buf_append(decoded, begin, (size_t)(p - begin)) != 0)
        return false;
    *at = p + 1;
    *content = decoded->data;
    *len = decoded->len;
    return true;
}
