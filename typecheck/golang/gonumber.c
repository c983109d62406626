#include "typecheck/golang/gonumber.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "typecheck/base/arena.h"

/* A double is read back from so many digits; printed without an exponent it has no more bytes. */
enum { MOST_DIGITS = 17, DOUBLE_BYTES = 1200 };

/* Exponents that %g prints without one: -4 to 5. */
enum { LEAST_EXPONENT = -4, LARGE_EXPONENT = 6 };

/* Writes the fewest digits, as "%e"; *decimals is how many a text without an exponent has. */
static int shortest(double value, char *text, size_t size, int *decimals)
{
    int digits = 1;
    do
        snprintf(text, size, "%.*e", digits - 1, value);
    while (strtod(text, NULL) != value && ++digits <= MOST_DIGITS);
    int exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
    *decimals = digits - 1 - exponent > 0 ? digits - 1 - exponent : 0;
    return exponent;
}

static struct str special(double value)
{
    return isnan(value) ? STR("NaN") : value < 0 ? STR("-Inf") : STR("+Inf");
}

struct str gonumber_double_text(struct arena *a, double value)
{
    char text[DOUBLE_BYTES];
    int decimals;
    if (isnan(value) || isinf(value))
        return special(value);
    int exponent = shortest(value, text, sizeof text, &decimals);
    if (exponent >= LEAST_EXPONENT && exponent < LARGE_EXPONENT)
        snprintf(text, sizeof text, "%.*f", decimals, value);
    return str_copy(a, str_of(text));
}

struct str gonumber_decimal_text(struct arena *a, double value)
{
    char text[DOUBLE_BYTES];
    int decimals;
    if (isnan(value) || isinf(value))
        return special(value);
    int exponent = shortest(value, text, sizeof text, &decimals);
    if (decimals > 0 || exponent < 0) {
        snprintf(text, sizeof text, "%.*f", decimals, value);
        return str_copy(a, str_of(text));
    }
    /* A whole number: the fewest digits, and zeros in place of others that its exact value has. */
    struct text t = {.arena = a};
    int digits = 0;
    for (const char *at = text; *at != 'e'; at++) {
        if (*at != '.')
            text_add_char(&t, *at);
        digits += isdigit((unsigned char)*at) != 0;
    }
    for (; digits <= exponent; digits++)
        text_add_char(&t, '0');
    return text_str(&t);
}

bool gonumber_read_uint(struct str text, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (!isdigit((unsigned char)text.at[i]))
            return false;
        uint64_t digit = (uint64_t)(text.at[i] - '0');
        if (*out > (UINT64_MAX - digit) / 10)
            return false;
        *out = *out * 10 + digit;
    }
    return text.len != 0;
}

bool gonumber_read_int(struct str text, int64_t *out)
{
    bool is_signed = text.len != 0 && (text.at[0] == '+' || text.at[0] == '-');
    bool is_negative = is_signed && text.at[0] == '-';
    uint64_t magnitude;
    if (!gonumber_read_uint((struct str){text.at + is_signed, text.len - is_signed}, &magnitude) ||
        magnitude > (uint64_t)INT64_MAX + is_negative)
        return false;
    *out = is_negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return true;
}

/* strconv takes no other words than these. */
static bool is_word(const char *text)
{
    static const char *const words[] = {"inf", "infinity", "nan"};
    bool is_signed = *text == '+' || *text == '-';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(words[i], text + is_signed) == 0)
            return !(is_signed && i == 2);
    }
    return false;
}

/* A digit of a number whose digits begin at `text`; the "x" before hexadecimal ones counts as one. */
static bool is_digit_at(const char *text, size_t i, bool is_hex)
{
    unsigned char c = (unsigned char)text[i];
    return isdigit(c) || (is_hex && (i == 1 || isxdigit(c)));
}

/* Takes out the underscores, which only stand between digits; false if one stands elsewhere. */
static bool drop_underscores(char *text, bool is_hex)
{
    size_t len = 0;
    for (size_t i = 0; text[i] != '\0'; i++) {
        if (text[i] != '_')
            text[len++] = text[i];
        else if (i == 0 || !is_digit_at(text, i - 1, is_hex) || !is_digit_at(text, i + 1, is_hex))
            return false;
    }
    text[len] = '\0';
    return true;
}

bool gonumber_read_double(struct arena *a, struct str s, double *out)
{
    char *text = arena_copy(a, s.at, s.len);
    if (strlen(text) != s.len || s.len == 0)
        return false;
    char *digits = text + (*text == '+' || *text == '-');
    bool is_hex = digits[0] == '0' && (digits[1] | 0x20) == 'x';
    if (!is_word(text) && text[strspn(text, "0123456789abcdefABCDEFxXpP.+-_")] != '\0')
        return false;
    if (!drop_underscores(digits, is_hex))
        return false;
    char *end;
    errno = 0;
    *out = strtod(text, &end);
    bool is_overflow = errno == ERANGE && isinf(*out) != 0;
    return *end == '\0' && !is_overflow && (!is_hex || strpbrk(text, "pP") != NULL);
}

bool gonumber_read_bool(struct str text, bool *out)
{
    static const struct str words[] = {
        STR_INIT("0"), STR_INIT("f"), STR_INIT("F"), STR_INIT("FALSE"), STR_INIT("false"), STR_INIT("False"),
        STR_INIT("1"), STR_INIT("t"), STR_INIT("T"), STR_INIT("TRUE"),  STR_INIT("true"),  STR_INIT("True")};
    const size_t count = sizeof words / sizeof *words;
    for (size_t i = 0; i < count; i++) {
        if (str_eq(words[i], text)) {
            *out = i >= count / 2;
            return true;
        }
    }
    return false;
}
