#include "typecheck/cel/syntax/literal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/hex.h"
#include "bytes/utf8.h"
#include "typecheck/base/arena.h"

/* Decimal, or hexadecimal behind "0x"; false when it does not fit. The lexer let digits only pass. */
static bool magnitude(struct str digits, uint64_t *out)
{
    uint64_t base = 10, value = 0;
    size_t i = 0;
    if (str_has_prefix(digits, STR("0x"))) {
        base = 16;
        i = 2;
    }
    for (; i < digits.len; i++) {
        unsigned digit = (unsigned)hex_digit(digits.at[i]);
        if (value > (UINT64_MAX - digit) / base)
            return false;
        value = value * base + digit;
    }
    *out = value;
    return true;
}

enum literal_failure literal_int(struct str token, bool is_negative, struct literal *out)
{
    const uint64_t limit = (uint64_t)INT64_MAX + (is_negative ? 1 : 0);
    uint64_t value;
    if (!magnitude(token, &value) || value > limit)
        return LITERAL_BAD_INT;
    out->kind = LITERAL_INT;
    if (!is_negative)
        out->integer = (int64_t)value;
    else
        out->integer = value == limit ? INT64_MIN : -(int64_t)value;
    return LITERAL_GOOD;
}

enum literal_failure literal_uint(struct str token, struct literal *out)
{
    out->kind = LITERAL_UINT;
    struct str digits = {token.at, token.len - 1}; /* without the u */
    return magnitude(digits, &out->uinteger) ? LITERAL_GOOD : LITERAL_BAD_UINT;
}

/* Too large is wrong, too small is zero. */
enum literal_failure literal_double(struct arena *a, struct str token, bool is_negative, struct literal *out)
{
    double value = strtod(arena_copy(a, token.at, token.len), NULL);
    if (isinf(value))
        return LITERAL_BAD_DOUBLE;
    out->kind = LITERAL_DOUBLE;
    out->floating = is_negative ? -value : value;
    return LITERAL_GOOD;
}

/* A string or bytes token taken apart. */
struct quoted {
    struct str content;
    bool is_bytes, is_raw;
};

static struct quoted unquote(struct str token)
{
    struct quoted q = {.content = token};
    const char *p = token.at;
    q.is_bytes = *p == 'b' || *p == 'B';
    p += q.is_bytes;
    q.is_raw = *p == 'r' || *p == 'R';
    p += q.is_raw;
    size_t left = token.len - (size_t)(p - token.at);
    size_t quotes = left >= 6 && p[1] == *p && p[2] == *p ? 3 : 1;
    q.content = (struct str){p + quotes, left - 2 * quotes};
    return q;
}

static char simple_escape(char c)
{
    switch (c) {
    case 'a':
        return '\a';
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'v':
        return '\v';
    }
    return c; /* \ ' " ` ? */
}

/* A numeric escape: how many digits follow the character behind the backslash, and to which base. */
static size_t numeric_digits(char c, unsigned *base)
{
    *base = c >= '0' && c <= '3' ? 8 : 16;
    switch (c) {
    case '0':
    case '1':
    case '2':
    case '3':
    case 'x':
    case 'X':
        return 2;
    case 'u':
        return 4;
    case 'U':
        return 8;
    }
    return 0;
}

static bool is_code_point(uint32_t c)
{
    return c < 0xD800 || (c > 0xDFFF && c <= 0x10FFFF);
}

/* Decodes the escape at *p (its backslash) to *out and moves both on. The lexer let only whole ones pass. */
static enum literal_failure unescape(const char **p, char **out, bool is_bytes)
{
    char c = (*p)[1];
    unsigned base;
    size_t digits = numeric_digits(c, &base);
    if (digits == 0) {
        *(*out)++ = simple_escape(c);
        *p += 2;
        return LITERAL_GOOD;
    }
    if (is_bytes && digits > 2)
        return LITERAL_BAD_ESCAPE;
    uint32_t value = base == 8 ? (unsigned)hex_digit(c) : 0;
    for (size_t i = 0; i < digits; i++)
        value = value * base + (unsigned)hex_digit((*p)[2 + i]);
    if (!is_bytes && !is_code_point(value))
        return LITERAL_BAD_CODE_POINT;
    if (is_bytes)
        *(*out)++ = (char)value;
    else
        *out += utf8_put(value, *out);
    *p += 2 + digits;
    return LITERAL_GOOD;
}

/* No escape is longer decoded than written. */
static enum literal_failure decode(struct arena *a, const struct quoted *q, struct str *result)
{
    char *decoded = arena_alloc(a, q->content.len + 1), *out = decoded;
    const char *p = q->content.at, *end = p + q->content.len;
    while (p < end) {
        if (*p == '\r') { /* every line end is '\n' */
            *out++ = '\n';
            p += end - p > 1 && p[1] == '\n' ? 2 : 1;
        } else if (*p == '\\' && !q->is_raw) {
            const enum literal_failure wrong = unescape(&p, &out, q->is_bytes);
            if (wrong != LITERAL_GOOD)
                return wrong;
        } else {
            *out++ = *p++;
        }
    }
    *result = (struct str){decoded, (size_t)(out - decoded)};
    return LITERAL_GOOD;
}

static enum literal_failure literal_quoted(struct arena *a, struct str token, struct str *out)
{
    struct quoted q = unquote(token);
    bool is_plain = memchr(q.content.at, '\r', q.content.len) == NULL &&
                    (q.is_raw || memchr(q.content.at, '\\', q.content.len) == NULL);
    *out = q.content;
    return is_plain ? LITERAL_GOOD : decode(a, &q, out);
}

enum literal_failure literal_string(struct arena *a, struct str token, struct literal *out)
{
    out->kind = LITERAL_STRING;
    return literal_quoted(a, token, &out->bytes);
}

enum literal_failure literal_bytes(struct arena *a, struct str token, struct literal *out)
{
    out->kind = LITERAL_BYTES;
    return literal_quoted(a, token, &out->bytes);
}
