/*
 * This is the scanner below the parser in regexp.c. It reads runes, escapes such as \x41 and \101, and
 * classes such as [a-z], \d, \p{Greek} and [[:alpha:]]. Each function reads one construct at `at` and moves
 * `at` behind it; on an error it keeps Go's words and the part of the pattern that Go quotes, and returns
 * false. If `set` is not NULL, the characters of a class are added to it as ranges; a pattern that is only
 * validated needs no set.
 */
#include "typecheck/cel/regexp/reader.h"

#include <ctype.h>
#include <string.h>

#include "bytes/hex.h"
#include "bytes/utf8.h"
#include "typecheck/base/unicode.h"
#include "typecheck/cel/regexp/class.h"

#define INVALID_UTF8  "invalid UTF-8"
#define INVALID_RANGE "invalid character class range"

static size_t left(const struct regexp_reader *r)
{
    return r->text.len - r->at;
}

/* The byte `ahead` of here, or -1 at the end. */
static int peek(const struct regexp_reader *r, size_t ahead)
{
    return left(r) > ahead ? (unsigned char)r->text.at[r->at + ahead] : -1;
}

bool regexp_reader_sees(const struct regexp_reader *r, const char *prefix)
{
    return str_has_prefix((struct str){r->text.at + r->at, left(r)}, str_of(prefix));
}

bool regexp_reader_fail(struct regexp_reader *r, const char *error, size_t from, size_t to)
{
    r->error = error;
    r->culprit = (struct str){r->text.at + from, to - from};
    return false;
}

/* The code point at `s`, its length in *len: 0 at the end, or if it is not UTF-8. */
static int32_t decode(const char *s, size_t available, size_t *len)
{
    uint32_t code = UTF8_REPLACEMENT;
    *len = available == 0 ? 0 : utf8_len(s, available);
    if (*len != 0)
        (void)utf8_next(s, available, &code);
    return (int32_t)code;
}

bool regexp_reader_utf8(struct regexp_reader *r, size_t from, size_t to)
{
    while (from < to) {
        size_t len;
        decode(r->text.at + from, to - from, &len);
        if (len == 0)
            return regexp_reader_fail(r, INVALID_UTF8, from, to);
        from += len;
    }
    return true;
}

bool regexp_reader_rune(struct regexp_reader *r, int32_t *rune)
{
    size_t len;
    *rune = decode(r->text.at + r->at, left(r), &len);
    if (len == 0 && left(r) > 0)
        return regexp_reader_fail(r, INVALID_UTF8, r->at, r->text.len);
    r->at += len;
    return true;
}

static bool is_octal(int c)
{
    return c >= '0' && c <= '7';
}

static bool invalid_escape(struct regexp_reader *r, size_t start)
{
    return regexp_reader_fail(r, "invalid escape sequence", start, r->at);
}

/* Reads hexadecimal digits and "}", after "\x{". */
static bool braced_hex(struct regexp_reader *r, size_t start, int32_t *rune)
{
    *rune = 0;
    for (size_t digits = 0;; digits++) {
        int32_t c;
        if (left(r) == 0)
            return invalid_escape(r, start);
        if (!regexp_reader_rune(r, &c))
            return false;
        if (c == '}')
            return digits > 0 || invalid_escape(r, start);
        int value = hex_digit(c);
        if (value < 0)
            return invalid_escape(r, start);
        *rune = *rune * 16 + value;
        if (*rune > UNICODE_MAX)
            return invalid_escape(r, start);
    }
}

/* Reads two hexadecimal digits, or any number of them in braces, after "\x". */
static bool hex_escape(struct regexp_reader *r, size_t start, int32_t *rune)
{
    int32_t first, second;
    if (left(r) == 0)
        return invalid_escape(r, start);
    if (!regexp_reader_rune(r, &first))
        return false;
    if (first == '{')
        return braced_hex(r, start, rune);
    if (!regexp_reader_rune(r, &second))
        return false;
    if (hex_digit(first) < 0 || hex_digit(second) < 0)
        return invalid_escape(r, start);
    *rune = hex_digit(first) * 16 + hex_digit(second);
    return true;
}

/* Reads at most two more octal digits, after "\" and the first one. */
static int32_t octal_escape(struct regexp_reader *r, int32_t first)
{
    int32_t rune = first - '0';
    for (int i = 0; i < 2 && is_octal(peek(r, 0)); i++, r->at++)
        rune = rune * 8 + peek(r, 0) - '0';
    return rune;
}

bool regexp_reader_escape(struct regexp_reader *r, int32_t *rune)
{
    static const char letters[] = "afnrtv", controls[] = "\a\f\n\r\t\v";
    size_t start = r->at++;
    int32_t c;
    if (left(r) == 0)
        return regexp_reader_fail(r, "trailing backslash at end of expression", start, start);
    if (!regexp_reader_rune(r, &c))
        return false;
    if (c < 0x80 && !isalnum(c)) {
        *rune = c;
        return true;
    }
    /* A digit alone, but for 0, would be a backreference. */
    if (c == '0' || (c >= '1' && c <= '7' && is_octal(peek(r, 0)))) {
        *rune = octal_escape(r, c);
        return true;
    }
    if (c == 'x')
        return hex_escape(r, start, rune);
    const char *letter = c < 0x80 ? strchr(letters, c) : NULL;
    if (letter == NULL)
        return invalid_escape(r, start);
    *rune = (unsigned char)controls[letter - letters];
    return true;
}

/* ---- classes ---- */

enum class_source { CLASS_PERL, CLASS_POSIX, CLASS_UNICODE };

/* Adds the class of that name, or all but it. */
static void add_class(struct regexp_reader *r, enum class_source source, struct str name, bool is_negated)
{
    if (r->set == NULL)
        return;
    struct regexp_class item = {.arena = r->set->arena, .edition = r->edition};
    if (source == CLASS_PERL)
        regexp_class_add_perl(&item, name.at[0]);
    else if (source == CLASS_POSIX)
        (void)regexp_class_add_posix(&item, name);
    else
        (void)regexp_class_add_unicode(&item, name, r->fold);
    if (r->fold && source != CLASS_UNICODE)
        regexp_class_fold(&item);
    if (is_negated)
        regexp_class_negate(&item);
    regexp_class_add_all(r->set, &item);
}

static void add_range(struct regexp_reader *r, int32_t low, int32_t high)
{
    if (r->set == NULL)
        return;
    struct regexp_class item = {.arena = r->set->arena, .edition = r->edition};
    regexp_class_add(&item, low, high);
    if (r->fold)
        regexp_class_fold(&item);
    regexp_class_add_all(r->set, &item);
}

/* Takes the "^" off a name that is negated. */
static bool take_caret(struct str *name)
{
    bool has_caret = name->len > 0 && name->at[0] == '^';
    *name = (struct str){name->at + has_caret, name->len - has_caret};
    return has_caret;
}

/* \pN \p{Name} \p{^Name}, or with P. */
static bool unicode_class(struct regexp_reader *r)
{
    size_t start = r->at;
    bool is_negated = peek(r, 1) == 'P';
    int32_t c;
    r->at += 2;
    if (!regexp_reader_rune(r, &c))
        return false;
    struct str name = {r->text.at + start + 2, r->at - (start + 2)};
    if (c == '{') {
        const char *end = memchr(r->text.at + start, '}', r->text.len - start);
        if (end == NULL) {
            return regexp_reader_utf8(r, start, r->text.len) &&
                   regexp_reader_fail(r, INVALID_RANGE, start, r->text.len);
        }
        size_t close = (size_t)(end - r->text.at);
        name = (struct str){r->text.at + start + 3, close - (start + 3)};
        if (!regexp_reader_utf8(r, start + 3, close))
            return false;
        r->at = close + 1;
    }
    is_negated ^= take_caret(&name);
    if (!regexp_class_is_unicode(name, r->edition))
        return regexp_reader_fail(r, INVALID_RANGE, start, r->at);
    add_class(r, CLASS_UNICODE, name, is_negated);
    return true;
}

bool regexp_reader_escaped_class(struct regexp_reader *r, bool *found)
{
    *found = false;
    int letter = peek(r, 0) == '\\' ? peek(r, 1) : -1;
    switch (letter) {
    case 'p':
    case 'P':
        *found = true;
        return unicode_class(r);
    case 'd':
    case 'D':
    case 's':
    case 'S':
    case 'w':
    case 'W':
        *found = true;
        r->at += 2;
        add_class(r, CLASS_PERL, (struct str){&(const char){(char)(letter | 0x20)}, 1}, letter < 'a');
        return true;
    default:
        return true;
    }
}

/* "[:alpha:]" or "[:^alpha:]" inside brackets. Without its end, the "[" is a plain one. */
static bool named_class(struct regexp_reader *r, bool *found)
{
    *found = false;
    if (left(r) <= 2 || !regexp_reader_sees(r, "[:") || r->no_named_class_left)
        return true;
    const char *open = r->text.at + r->at;
    const char *close = memmem(open + 2, left(r) - 2, ":]", 2);
    if (close == NULL) {
        r->no_named_class_left = true;
        return true;
    }
    struct str name = {open + 2, (size_t)(close - (open + 2))};
    bool is_negated = take_caret(&name);
    size_t start = r->at;
    r->at += (size_t)(close + 2 - open);
    *found = regexp_class_is_posix(name);
    if (!*found)
        return regexp_reader_fail(r, INVALID_RANGE, start, r->at);
    add_class(r, CLASS_POSIX, name, is_negated);
    return true;
}

/* One character of the class whose "[" is at `open`. */
static bool class_rune(struct regexp_reader *r, size_t open, int32_t *rune)
{
    if (left(r) == 0)
        return regexp_reader_fail(r, "missing closing ]", open, r->text.len);
    return peek(r, 0) == '\\' ? regexp_reader_escape(r, rune) : regexp_reader_rune(r, rune);
}

/* "a" or "a-z" in the class whose "[" is at `open`. */
static bool class_range(struct regexp_reader *r, size_t open, bool *single)
{
    size_t start = r->at;
    int32_t low, high;
    if (!class_rune(r, open, &low))
        return false;
    high = low;
    if (left(r) >= 2 && peek(r, 0) == '-' && peek(r, 1) != ']') {
        r->at++;
        if (!class_rune(r, open, &high))
            return false;
        if (high < low)
            return regexp_reader_fail(r, INVALID_RANGE, start, r->at);
    }
    *single = low == high;
    add_range(r, low, high);
    return true;
}

bool regexp_reader_class(struct regexp_reader *r, bool *single)
{
    size_t open = r->at++, items = 0;
    bool negated = peek(r, 0) == '^', found;
    *single = false;
    if (negated)
        r->at++;
    /* A "]" is itself when it comes first. */
    for (; peek(r, 0) != ']' || items == 0; items++) {
        if (!named_class(r, &found))
            return false;
        if (!found && !regexp_reader_escaped_class(r, &found))
            return false;
        if (!found && !class_range(r, open, single))
            return false;
    }
    r->at++;
    *single = *single && items == 1 && !negated;
    if (r->set != NULL && negated)
        regexp_class_negate(r->set);
    else if (r->set != NULL)
        regexp_class_normalise(r->set);
    return true;
}
