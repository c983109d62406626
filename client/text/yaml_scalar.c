#include "client/text/yaml_scalar.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/base64.h"
#include "client/base/mem.h"

enum scalar_kind { SCALAR_STRING, SCALAR_NULL, SCALAR_BOOL, SCALAR_INT, SCALAR_UINT, SCALAR_FLOAT };

struct scalar {
    enum scalar_kind kind;
    bool is_true;
    int64_t integer;
    uint64_t unsigned_integer;
    double real;
};

/* Longer texts are no numbers. */
enum { NUMBER_BYTES = 512 };

static bool is_one_of(const char *text, const char *const *words)
{
    for (; *words; words++) {
        if (**words == *text && strcmp(text, *words) == 0)
            return true;
    }
    return false;
}

static bool resolve_word(const char *text, size_t len, struct scalar *out)
{
    enum { LONGEST = 5 };
    static const char *const yes[] = {"y",    "Y",    "yes", "Yes", "YES", "true",
                                      "True", "TRUE", "on",  "On",  "ON",  NULL};
    static const char *const no[] = {"n",     "N",     "no",  "No",  "NO",  "false",
                                     "False", "FALSE", "off", "Off", "OFF", NULL};
    static const char *const null[] = {"", "~", "null", "Null", "NULL", NULL};
    static const char *const nan_[] = {".nan", ".NaN", ".NAN", NULL};
    static const char *const inf[] = {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", NULL};
    static const char *const minus_inf[] = {"-.inf", "-.Inf", "-.INF", NULL};
    if (len > LONGEST || (len > 0 && strchr("yYnNtTfFoO~.+-", *text) == NULL)) /* nearly always */
        return false;
    if (is_one_of(text, yes))
        *out = (struct scalar){.kind = SCALAR_BOOL, .is_true = true};
    else if (is_one_of(text, no))
        *out = (struct scalar){.kind = SCALAR_BOOL};
    else if (is_one_of(text, null))
        *out = (struct scalar){.kind = SCALAR_NULL};
    else if (is_one_of(text, nan_))
        *out = (struct scalar){.kind = SCALAR_FLOAT, .real = (double)NAN};
    else if (is_one_of(text, inf))
        *out = (struct scalar){.kind = SCALAR_FLOAT, .real = (double)INFINITY};
    else if (is_one_of(text, minus_inf))
        *out = (struct scalar){.kind = SCALAR_FLOAT, .real = -(double)INFINITY};
    else
        return false;
    return true;
}

/* Go's strconv.ParseInt(text, 0, 64): a sign, then 0x, 0o, 0b, 0 or nothing, then digits. */
static bool parse_integer(const char *text, struct scalar *out)
{
    const bool is_negative = *text == '-';
    int base = 10;
    if (*text == '-' || *text == '+')
        text++;
    if (text[0] == '0' && text[1]) {
        const int letter = tolower((unsigned char)text[1]);
        base = letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
        text += letter == 'x' || letter == 'b' || letter == 'o' ? 2 : 1;
    }
    if (!isxdigit((unsigned char)*text))
        return false;
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, base);
    if (*end || errno || (is_negative && value > (uint64_t)INT64_MAX + 1))
        return false;
    if (is_negative)
        *out = (struct scalar){.kind = SCALAR_INT, .integer = (int64_t)(0 - value)};
    else if (value <= INT64_MAX)
        *out = (struct scalar){.kind = SCALAR_INT, .integer = (int64_t)value};
    else
        *out = (struct scalar){.kind = SCALAR_UINT, .unsigned_integer = value};
    return true;
}

static const char *skip_digits(const char *p)
{
    while (isdigit((unsigned char)*p))
        p++;
    return p;
}

/* [-+]? ( \.[0-9]+ | [0-9]+ (\.[0-9]*)? ) ([eE][-+]?[0-9]+)? */
static bool parse_float(const char *text, struct scalar *out)
{
    const char *p = text + (*text == '-' || *text == '+');
    const char *digits = p;
    p = skip_digits(p);
    const bool has_whole = p > digits;
    if (*p == '.') {
        const char *fraction = ++p;
        p = skip_digits(p);
        if (!has_whole && p == fraction)
            return false;
    } else if (!has_whole) {
        return false;
    }
    if (*p == 'e' || *p == 'E') {
        p++;
        p += *p == '-' || *p == '+';
        const char *exponent = p;
        p = skip_digits(p);
        if (p == exponent)
            return false;
    }
    if (*p)
        return false;
    const double value = strtod(text, NULL);
    if (isinf(value))
        return false;
    *out = (struct scalar){.kind = SCALAR_FLOAT, .real = value};
    return true;
}

static bool resolve_number(const char *text, size_t len, struct scalar *out)
{
    char plain[NUMBER_BYTES];
    size_t n = 0;
    if (len >= sizeof plain || (*text != '.' && !strchr("+-0123456789", *text)))
        return false;
    if (*text == '.')
        return parse_float(text, out);
    for (size_t i = 0; i < len; i++) {
        if (text[i] != '_')
            plain[n++] = text[i];
    }
    plain[n] = '\0';
    return parse_integer(plain, out) || parse_float(plain, out);
}

static struct scalar resolve_plain(const char *text, size_t len)
{
    struct scalar s = {.kind = SCALAR_STRING};
    if (strlen(text) != len || resolve_word(text, len, &s))
        return s;
    (void)resolve_number(text, len, &s);
    return s;
}

static const char *short_tag(const char *tag)
{
    static const char prefix[] = "tag:yaml.org,2002:";
    return strncmp(tag, prefix, sizeof prefix - 1) == 0 ? tag + sizeof prefix - 1 : NULL;
}

static bool is_kind_of_tag(enum scalar_kind kind, const char *tag)
{
    static const char *const tags[] = {
        [SCALAR_STRING] = "timestamp", [SCALAR_NULL] = "null", [SCALAR_BOOL] = "bool",
        [SCALAR_INT] = "int",          [SCALAR_UINT] = "int",  [SCALAR_FLOAT] = "float",
    };
    return strcmp(tag, tags[kind]) == 0 ||
           ((kind == SCALAR_INT || kind == SCALAR_UINT) && strcmp(tag, "float") == 0);
}

static int resolve(const char *text, size_t len, const char *tag, bool is_quoted, struct scalar *out,
                   struct err *err)
{
    static const char *const resolvable[] = {"bool", "int", "float", "null", "timestamp", NULL};
    const char *name = short_tag(tag);
    *out = (struct scalar){.kind = SCALAR_STRING};
    if (!*tag) {
        if (!is_quoted)
            *out = resolve_plain(text, len);
        return 0;
    }
    if (!name || !is_one_of(name, resolvable))
        return 0;
    *out = resolve_plain(text, len);
    if (is_kind_of_tag(out->kind, name))
        return 0;
    return err_set(err, ERR_INVALID, "cannot read `%.60s` as !!%.20s", text, name);
}

/* Go writes a whole float below 1e21 as an integer. */
static struct json_object *new_float(double value)
{
    const double limit = 9223372036854775808.0; /* 2^63 */
    if (value > -limit && value < limit && (double)(int64_t)value == value)
        return json_object_new_int64((int64_t)value);
    return json_object_new_double(value);
}

static int new_string(const char *text, size_t len, const char *tag, struct json_object **out,
                      struct err *err)
{
    const char *name = short_tag(tag);
    if (!name || strcmp(name, "binary") != 0) {
        *out = json_object_new_string_len(text, (int)len);
        return 0;
    }
    cleanup_mem char *bytes = mem_zalloc(BASE64_BYTES(len) + 1);
    if (!base64_decode(text, len, bytes, &len))
        return err_set(err, ERR_INVALID, "!!binary: malformed base64");
    *out = json_object_new_string_len(bytes, (int)len);
    return 0;
}

int yaml_scalar_resolve(const char *text, size_t len, const char *tag, bool is_quoted,
                        struct json_object **out, struct err *err)
{
    struct scalar s;
    *out = NULL;
    if (resolve(text, len, tag, is_quoted, &s, err) != 0)
        return -1;
    switch (s.kind) {
    case SCALAR_STRING:
        return new_string(text, len, tag, out, err);
    case SCALAR_NULL:
        break;
    case SCALAR_BOOL:
        *out = json_object_new_boolean(s.is_true);
        break;
    case SCALAR_INT:
        *out = json_object_new_int64(s.integer);
        break;
    case SCALAR_UINT:
        *out = json_object_new_uint64(s.unsigned_integer);
        break;
    case SCALAR_FLOAT:
        if (!isfinite(s.real))
            return err_set(err, ERR_INVALID, "%s has no JSON form", text);
        *out = new_float(s.real);
        break;
    }
    return 0;
}

/* The shortest text that reads back as the same 32-bit float, as go-yaml writes it. */
static const char *float_key(double value, char number[YAML_SCALAR_NUMBER_BYTES])
{
    if (isnan(value))
        return ".nan";
    if (isinf(value))
        return value > 0 ? ".inf" : "-.inf";
    for (int digits = 6; digits <= 9; digits++) {
        (void)snprintf(number, YAML_SCALAR_NUMBER_BYTES, "%.*g", digits, value);
        if (strtof(number, NULL) == (float)value)
            break;
    }
    return number;
}

int yaml_scalar_key(const char *text, size_t len, const char *tag, bool is_quoted,
                    char number[YAML_SCALAR_NUMBER_BYTES], const char **out, struct err *err)
{
    struct scalar s;
    *out = text;
    if (resolve(text, len, tag, is_quoted, &s, err) != 0)
        return -1;
    switch (s.kind) {
    case SCALAR_STRING:
        break;
    case SCALAR_NULL:
        return err_set(err, ERR_INVALID, "null is no key of a mapping");
    case SCALAR_BOOL:
        *out = s.is_true ? "true" : "false";
        break;
    case SCALAR_INT:
        (void)snprintf(number, YAML_SCALAR_NUMBER_BYTES, "%" PRId64, s.integer);
        *out = number;
        break;
    case SCALAR_UINT:
        return err_set(err, ERR_INVALID, "%s is too large for a key", text);
    case SCALAR_FLOAT:
        *out = float_key(s.real, number);
        break;
    }
    return 0;
}
