#include "typecheck/base/jsonread.h"

#include <ctype.h>
#include <stdint.h>

#include "bytes/hex.h"
#include "bytes/jsonnumber.h"
#include "bytes/jsonplain.h"
#include "bytes/utf8.h"
#include "typecheck/base/arena.h"

#define REPLACEMENT 0xFFFDu

/* json-c's words, which users have seen and may search for. */
static const char *const messages[] = {
    [JSONREAD_OK] = "success",
    [JSONREAD_TRUNCATED] = "continue",
    [JSONREAD_TOO_DEEP] = "nesting too deep",
    [JSONREAD_UNEXPECTED] = "unexpected character",
    [JSONREAD_BAD_NULL] = "null expected",
    [JSONREAD_BAD_BOOLEAN] = "boolean expected",
    [JSONREAD_BAD_NUMBER] = "number expected",
    [JSONREAD_NO_ARRAY_COMMA] = "array value separator ',' expected",
    [JSONREAD_NO_KEY] = "quoted object property name expected",
    [JSONREAD_NO_COLON] = "object property name separator ':' expected",
    [JSONREAD_NO_OBJECT_COMMA] = "object value separator ',' expected",
    [JSONREAD_BAD_STRING] = "invalid string sequence",
    [JSONREAD_BAD_UTF8] = "invalid utf-8 string",
};

const char *jsonread_message(enum jsonread_error error)
{
    return messages[error];
}

void jsonread_init(struct jsonread *r, struct str text, struct arena *arena)
{
    *r = (struct jsonread){.text = text, .arena = arena};
}

/* The error `why` at `at`; at the text's end every error is that it ends. Returns false. */
static bool fail(struct jsonread *r, enum jsonread_error why, size_t at)
{
    if (r->error == JSONREAD_OK) {
        r->at = at;
        r->error = at == r->text.len ? JSONREAD_TRUNCATED : why;
    }
    return false;
}

static bool is_at(const struct jsonread *r, char c)
{
    return r->at < r->text.len && r->text.at[r->at] == c;
}

/* ws = *( %x20 / %x09 / %x0A / %x0D ) */
static void skip_space(struct jsonread *r)
{
    while (r->at < r->text.len) {
        char c = r->text.at[r->at];
        if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
            break;
        r->at++;
    }
}

/* Strings */

/* The value of four hexadecimal digits. */
static int32_t hex4(const char *s)
{
    uint32_t value;
    (void)hex_read(s, 4, &value); /* scan_escape has seen them */
    return (int32_t)value;
}

/* char = escape ( %x22 / %x5C / %x2F / %x62 / %x66 / %x6E / %x72 / %x74 / %x75 4HEXDIG ), at the escape */
static bool scan_escape(struct jsonread *r)
{
    size_t at = r->at + 1;
    if (at == r->text.len)
        return fail(r, JSONREAD_BAD_STRING, at);
    if (r->text.at[at] != 'u') {
        if (strchr("\"\\/bfnrt", r->text.at[at]) == NULL || r->text.at[at] == '\0')
            return fail(r, JSONREAD_BAD_STRING, at);
        r->at = at + 1;
        return true;
    }
    r->at = at + 1;
    for (size_t end = at + 5; r->at < end; r->at++) {
        if (r->at == r->text.len || hex_digit(r->text.at[r->at]) < 0)
            return fail(r, JSONREAD_BAD_STRING, r->at);
    }
    return true;
}

static void skip_plain(struct jsonread *r)
{
    const char *text = r->text.at;
    r->at = (size_t)(jsonplain_end(text + r->at, text + r->text.len, true) - text);
}

/* string = quotation-mark *char quotation-mark; the text between them goes into *raw. */
static bool scan_string(struct jsonread *r, struct str *raw, bool *has_escapes)
{
    size_t start = ++r->at;
    *has_escapes = false;
    for (skip_plain(r); r->at < r->text.len; skip_plain(r)) {
        unsigned char c = (unsigned char)r->text.at[r->at];
        if (c == '"') {
            *raw = (struct str){r->text.at + start, r->at - start};
            r->at++;
            return true;
        }
        if (c == '\\') {
            *has_escapes = true;
            if (!scan_escape(r))
                return false;
        } else if (c < 0x20) {
            return fail(r, JSONREAD_BAD_STRING, r->at);
        } else {
            size_t len = utf8_len(r->text.at + r->at, r->text.len - r->at);
            if (len == 0)
                return fail(r, JSONREAD_BAD_UTF8, r->at);
            r->at += len;
        }
    }
    return fail(r, JSONREAD_BAD_STRING, r->at);
}

static bool is_surrogate(int32_t unit, int32_t first)
{
    return unit >= first && unit < first + 0x400;
}

/* The character that \uXXXX at s[*at] stands for, or a pair of them. */
static uint32_t unescape_unicode(struct str s, size_t *at)
{
    int32_t unit = hex4(s.at + *at + 2);
    *at += 6;
    if (!is_surrogate(unit, 0xD800))
        return is_surrogate(unit, 0xDC00) ? REPLACEMENT : (uint32_t)unit;
    if (s.len - *at < 6 || s.at[*at] != '\\' || s.at[*at + 1] != 'u')
        return REPLACEMENT;
    int32_t low = hex4(s.at + *at + 2);
    if (!is_surrogate(low, 0xDC00))
        return REPLACEMENT; /* the next characters stand for themselves */
    *at += 6;
    return 0x10000 + ((uint32_t)(unit - 0xD800) << 10) + (uint32_t)(low - 0xDC00);
}

/* A scanned string without its escapes, none of which is longer written out. */
static struct str unescape(struct arena *a, struct str raw)
{
    static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char *out = arena_alloc(a, raw.len + 1);
    size_t len = 0;
    for (size_t i = 0; i < raw.len;) {
        if (raw.at[i] != '\\') {
            out[len++] = raw.at[i++];
        } else if (raw.at[i + 1] == 'u') {
            len += utf8_put(unescape_unicode(raw, &i), out + len);
        } else {
            out[len++] = meant[strchr(escapes, raw.at[i + 1]) - escapes];
            i += 2;
        }
    }
    return (struct str){out, len};
}

struct str jsonread_string(struct jsonread *r)
{
    struct str raw;
    bool has_escapes;
    if (!scan_string(r, &raw, &has_escapes))
        return STR("");
    return has_escapes ? unescape(r->arena, raw) : raw;
}

/* Values */

static enum jsonread_type type_by_start(char c)
{
    switch (c) {
    case '{':
        return JSONREAD_OBJECT;
    case '[':
        return JSONREAD_ARRAY;
    case '"':
        return JSONREAD_STRING;
    case 'n':
        return JSONREAD_NULL;
    case 't':
        return JSONREAD_TRUE;
    case 'f':
        return JSONREAD_FALSE;
    }
    return isdigit((unsigned char)c) || c == '-' ? JSONREAD_NUMBER : JSONREAD_NONE;
}

enum jsonread_type jsonread_peek(struct jsonread *r)
{
    if (r->error != JSONREAD_OK)
        return JSONREAD_NONE;
    skip_space(r);
    char c = '\0';
    if (r->at < r->text.len)
        c = r->text.at[r->at];
    const enum jsonread_type type = type_by_start(c);
    if (r->at < r->text.len && r->depth >= JSONREAD_MAX_DEPTH)
        fail(r, JSONREAD_TOO_DEEP, r->at);
    else if (type == JSONREAD_NONE)
        fail(r, JSONREAD_UNEXPECTED, r->at);
    return r->error == JSONREAD_OK ? type : JSONREAD_NONE;
}

bool jsonread_open(struct jsonread *r)
{
    r->at++;
    r->depth++;
    r->is_first = true;
    return true;
}

/* Goes on to the next member or element. Returns true if there is one; it has then read the comma before it,
 * which only the first one lacks. Returns false if it has read `close`. */
static bool go_on(struct jsonread *r, char close, enum jsonread_error no_comma)
{
    bool is_first = r->is_first;
    if (r->error != JSONREAD_OK)
        return false;
    skip_space(r);
    r->is_first = false;
    if (is_at(r, close)) {
        r->at++;
        r->depth--;
        return false;
    }
    if (is_first)
        return true;
    if (!is_at(r, ','))
        return fail(r, no_comma, r->at);
    r->at++;
    skip_space(r);
    return true;
}

bool jsonread_element(struct jsonread *r)
{
    return go_on(r, ']', JSONREAD_NO_ARRAY_COMMA);
}

/* member = string name-separator value, up to the value */
static bool scan_key(struct jsonread *r, struct str *raw, bool *has_escapes)
{
    if (!go_on(r, '}', JSONREAD_NO_OBJECT_COMMA))
        return false;
    if (!is_at(r, '"'))
        return fail(r, JSONREAD_NO_KEY, r->at);
    if (!scan_string(r, raw, has_escapes))
        return false;
    skip_space(r);
    if (!is_at(r, ':'))
        return fail(r, JSONREAD_NO_COLON, r->at);
    r->at++;
    return true;
}

bool jsonread_member(struct jsonread *r, struct str *key)
{
    bool has_escapes;
    if (!scan_key(r, key, &has_escapes))
        return false;
    if (has_escapes)
        *key = unescape(r->arena, *key);
    return true;
}

static void skip_word(struct jsonread *r, const char *word, enum jsonread_error why)
{
    for (; *word != '\0'; word++) {
        if (!is_at(r, *word)) {
            fail(r, why, r->at);
            return;
        }
        r->at++;
    }
}

static void skip_number(struct jsonread *r)
{
    const char *at = r->text.at + r->at;
    const bool is_whole = jsonnumber_skip(&at, r->text.at + r->text.len);
    r->at = (size_t)(at - r->text.at);
    if (!is_whole)
        fail(r, JSONREAD_BAD_NUMBER, r->at);
}

/* The value that comes next, but of an array or object its bracket alone. */
static void skip_one(struct jsonread *r, enum jsonread_type type)
{
    struct str raw;
    bool has_escapes;
    switch (type) {
    case JSONREAD_NONE:
        return;
    case JSONREAD_NULL:
        skip_word(r, "null", JSONREAD_BAD_NULL);
        return;
    case JSONREAD_FALSE:
        skip_word(r, "false", JSONREAD_BAD_BOOLEAN);
        return;
    case JSONREAD_TRUE:
        skip_word(r, "true", JSONREAD_BAD_BOOLEAN);
        return;
    case JSONREAD_NUMBER:
        skip_number(r);
        return;
    case JSONREAD_STRING:
        scan_string(r, &raw, &has_escapes);
        return;
    case JSONREAD_ARRAY:
    case JSONREAD_OBJECT:
        jsonread_open(r);
        return;
    }
}

void jsonread_skip_begin(struct jsonread *r, struct jsonread_skipping *s)
{
    s->base = r->depth;
    const enum jsonread_type type = jsonread_peek(r);
    skip_one(r, type);
    if (r->depth > s->base)
        s->is_object[s->base] = type == JSONREAD_OBJECT;
}

bool jsonread_skip_until(struct jsonread *r, struct jsonread_skipping *s, size_t until)
{
    struct str raw;
    bool has_escapes;
    while (r->depth > s->base && r->error == JSONREAD_OK && r->at < until) {
        const unsigned outer = r->depth;
        if (!(s->is_object[outer - 1] ? scan_key(r, &raw, &has_escapes) : jsonread_element(r)))
            continue;
        const enum jsonread_type type = jsonread_peek(r);
        skip_one(r, type);
        if (r->depth > outer)
            s->is_object[outer] = type == JSONREAD_OBJECT;
    }
    return r->depth <= s->base || r->error != JSONREAD_OK;
}

void jsonread_skip(struct jsonread *r)
{
    struct jsonread_skipping s;
    jsonread_skip_begin(r, &s);
    (void)jsonread_skip_until(r, &s, SIZE_MAX);
}

bool jsonread_end(struct jsonread *r)
{
    if (r->error == JSONREAD_OK) {
        skip_space(r);
        if (r->at < r->text.len)
            fail(r, JSONREAD_UNEXPECTED, r->at);
    }
    return r->error == JSONREAD_OK;
}
