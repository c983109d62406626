/*
 * format() copies its text up to a "%", reads the clause there (format_clause.h), writes the next argument,
 * and goes on; the first error ends it. %s writes members of lists and maps as literals of CEL. %f and %e
 * write numbers as golang.org/x/text does, with commas between thousands, and with exponents in raised
 * digits. %d, %b, %o and %x write whole numbers, and %x the bytes of a text.
 */
#include "typecheck/cel/interpreter/functions/string_format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/utf8.h"
#include "typecheck/base/arena.h"
#include "typecheck/cel/checker/format_clause.h"
#include "typecheck/cel/interpreter/values/value_map.h"
#include "typecheck/cel/interpreter/values/value_text.h"
#include "typecheck/golang/goquote.h"

/* Lists and maps within each other are printed no deeper: values of a run are never so deep. */
enum { FORMAT_DEPTH = 1000 };

/* Digits after the point if no precision is given; the largest precision that Go prints. */
enum { DEFAULT_PRECISION = 6, MAX_PRECISION = INT16_MAX };

/* The kinds of values that no clause prints. */
#define UNPRINTED                                                                                            \
    (VALUE_KIND(VALUE_OPTIONAL) | VALUE_KIND(VALUE_IP) | VALUE_KIND(VALUE_CIDR) |                            \
     VALUE_KIND(VALUE_QUANTITY) | VALUE_KIND(VALUE_SEMVER) | VALUE_KIND(VALUE_URL) |                         \
     VALUE_KIND(VALUE_FORMAT) | VALUE_KIND(VALUE_OBJECT) | VALUE_KIND(VALUE_JSON_PATCH))

struct formatting {
    const struct invocation *call;
    struct arena *arena;
    struct text out;
    struct str error; /* empty: none */
    enum issue_code code;
};

static void fail_with(struct formatting *f, enum issue_code code, struct str error)
{
    if (f->error.len != 0)
        return;
    f->error = error;
    f->code = code;
}

static void fail(struct formatting *f, struct str error)
{
    fail_with(f, ISSUE_WRONG_CONSTANT, error);
}

/* ---- %s ---- */

static void write_member(struct formatting *f, const struct value *v, unsigned depth);

static void write_quoted(struct formatting *f, struct str s)
{
    goquote_add(&f->out, s);
}

static void write_list(struct formatting *f, const struct value_list *list, unsigned depth)
{
    text_add_char(&f->out, '[');
    for (size_t i = 0; i < list->count; i++) {
        text_add(&f->out, i == 0 ? STR("") : STR(", "));
        write_member(f, list->items[i], depth + 1);
    }
    text_add_char(&f->out, ']');
}

/* One member as a text of its own. */
static struct str member_text(struct formatting *f, const struct value *v, unsigned depth)
{
    struct text out = f->out;
    f->out = (struct text){.arena = f->arena};
    write_member(f, v, depth);
    struct str text = text_str(&f->out);
    f->out = out;
    return text;
}

struct pair {
    struct str key, value;
};

static int by_key(const void *one, const void *two)
{
    return str_cmp(((const struct pair *)one)->key, ((const struct pair *)two)->key);
}

static void write_map(struct formatting *f, const struct value_map *map, unsigned depth)
{
    const uint32_t keys =
        VALUE_KIND(VALUE_STRING) | VALUE_KIND(VALUE_BOOL) | VALUE_KIND(VALUE_INT) | VALUE_KIND(VALUE_UINT);
    struct pair *pairs = ARENA_ARRAY(f->arena, map->count, struct pair);
    for (size_t i = 0; i < map->count; i++) {
        const struct value *key = map->entries[i].key;
        if ((keys >> key->kind & 1) == 0)
            fail(f, str_join(f->arena, STR_PARTS(STR("no formatting function for map key of type "),
                                                 value_type_name(key))));
        pairs[i] =
            (struct pair){member_text(f, key, depth + 1), member_text(f, map->entries[i].value, depth + 1)};
    }
    if (map->count != 0)
        qsort(pairs, map->count, sizeof *pairs, by_key);
    text_add_char(&f->out, '{');
    for (size_t i = 0; i < map->count; i++) {
        text_add(&f->out, i == 0 ? STR("") : STR(", "));
        text_add(&f->out, pairs[i].key);
        text_add_char(&f->out, ':');
        text_add(&f->out, pairs[i].value);
    }
    text_add_char(&f->out, '}');
}

/* fmt's %.Nf */
static void write_fixed(struct text *t, double value, int64_t precision)
{
    int len = snprintf(NULL, 0, "%.*f", (int)precision, value);
    if (isnan(value) || isinf(value)) {
        text_add(t, isnan(value) ? STR("NaN") : value < 0 ? STR("-Inf") : STR("+Inf"));
        return;
    }
    char *at = text_reserve(t, (size_t)len + 1);
    snprintf(at, (size_t)len + 1, "%.*f", (int)precision, value);
    t->len += (size_t)len;
}

static bool check_utf8(struct formatting *f, struct str bytes)
{
    size_t len = 1;
    for (size_t at = 0; at < bytes.len && len != 0; at += len)
        len = utf8_len(bytes.at + at, bytes.len - at);
    if (len == 0)
        fail(
            f,
            STR("could not convert argument \"invalid UTF-8 in bytes, cannot convert to string\" to string"));
    return len != 0;
}

/* Writes a member of a list or map as a literal of CEL. */
static void write_member(struct formatting *f, const struct value *v, unsigned depth)
{
    arena_step(f->arena);
    if (depth > FORMAT_DEPTH)
        arena_fail(f->arena, ARENA_STEPS);
    if (v->kind == VALUE_LIST) {
        write_list(f, v->list, depth);
    } else if (v->kind == VALUE_MAP) {
        write_map(f, v->map, depth);
    } else if (v->kind == VALUE_STRING) {
        write_quoted(f, v->text);
    } else if (v->kind == VALUE_BYTES) {
        text_add_char(&f->out, 'b');
        if (check_utf8(f, v->text))
            write_quoted(f, v->text);
    } else if (v->kind == VALUE_DOUBLE && (isnan(v->floating) || isinf(v->floating))) {
        text_addf(&f->out, "\"%s\"", isnan(v->floating) ? "NaN" : v->floating < 0 ? "-Inf" : "+Inf");
    } else if (v->kind == VALUE_DOUBLE) {
        write_fixed(&f->out, v->floating, DEFAULT_PRECISION);
    } else if (v->kind == VALUE_TIMESTAMP || v->kind == VALUE_DURATION) {
        struct str text = value_text(f->arena, v);
        text_addf(&f->out, "%s(\"%.*s\")", v->kind == VALUE_DURATION ? "duration" : "timestamp",
                  STR_ARG(text));
    } else if (v->kind == VALUE_AUTHORIZATION) {
        (void)function_lacks_text(f->call);
    } else if ((UNPRINTED >> v->kind & 1) != 0) {
        fail(f, str_join(f->arena, STR_PARTS(STR("no formatting function for "), value_type_name(v))));
    } else {
        text_add(&f->out, v->kind == VALUE_NULL ? STR("null") : value_text(f->arena, v));
    }
}

static void complain(struct formatting *f, const struct format_clause *clause, const struct value *v)
{
    fail(f,
         str_join(f->arena, STR_PARTS(str_of(clause->complaint), STR(", was given "), value_type_name(v))));
}

static void write_string(struct formatting *f, const struct format_clause *clause, const struct value *v)
{
    if (v->kind == VALUE_LIST || v->kind == VALUE_MAP)
        write_member(f, v, 0);
    else if (v->kind == VALUE_AUTHORIZATION)
        (void)function_lacks_text(f->call);
    else if ((UNPRINTED >> v->kind & 1) != 0)
        complain(f, clause, v);
    else if (v->kind == VALUE_BYTES && check_utf8(f, v->text))
        text_add(&f->out, v->text);
    else if (v->kind != VALUE_BYTES)
        text_add(&f->out, v->kind == VALUE_NULL ? STR("null") : value_text(f->arena, v));
}

/* ---- numbers ---- */

/* The digits without zeros at the end, but with at least `least` digits after the point. */
static struct str without_zeros(struct str digits, size_t whole, size_t least)
{
    const size_t kept = least == 0 ? whole : whole + 1 + least;
    while (digits.len > kept && (digits.at[digits.len - 1] == '0' || digits.len == whole + 1))
        digits.len--;
    return digits;
}

/*
 * Writes the number with a comma before each third digit before the point. golang.org/x/text/internal/number
 * keeps the precision twice: in 16 bits how many digits there may be, in 8 bits how many there must be.
 */
static void write_grouped(struct formatting *f, double value, int64_t precision)
{
    struct text plain = {.arena = f->arena};
    write_fixed(&plain, fabs(value), precision);
    struct str digits = text_str(&plain);
    const size_t whole = strcspn(digits.at, ".");
    if (whole < digits.len)
        digits = without_zeros(digits, whole, (uint8_t)precision);
    if (value < 0)
        text_add_char(&f->out, '-');
    for (size_t i = 0; i < digits.len; i++) {
        if (i > 0 && i < whole && (whole - i) % 3 == 0)
            text_add_char(&f->out, ',');
        text_add_char(&f->out, digits.at[i]);
    }
}

/* "1.500000×10⁻⁰⁷" */
static struct str scientific_text(struct arena *a, double value, size_t *width)
{
    static const char *const raised[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                         "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    char plain[64];
    struct text t = {.arena = a};
    snprintf(plain, sizeof plain, "%.*e", DEFAULT_PRECISION, fabs(value));
    const char *exponent = strchr(plain, 'e');
    *width = (size_t)(exponent - plain) + (value < 0) + 3;
    text_addf(&t, "%s%.*s\u00d710", value < 0 ? "-" : "", (int)(exponent - plain), plain);
    for (const char *at = exponent + 1; *at != '\0'; at++) {
        if (*at == '-')
            text_add(&t, STR("\u207b"));
        else if (*at != '+')
            text_add(&t, str_of(raised[*at - '0']));
        *width += *at != '+';
    }
    return text_str(&t);
}

/* Writes the number in scientific notation; the precision is used as a width. */
static void write_scientific(struct formatting *f, double value, int64_t precision)
{
    size_t width = 1 + (value < 0);
    struct str text = value < 0 ? STR("-\u221e") : STR("\u221e");
    if (isnan(value)) {
        text = STR("NaN");
        width = text.len;
    } else if (isinf(value) == 0) {
        text = scientific_text(f->arena, value, &width);
    }
    for (int64_t least = precision < 0 ? DEFAULT_PRECISION : precision; least > (int64_t)width; least--)
        text_add_char(&f->out, ' ');
    text_add(&f->out, text);
}

/* Sets *out to the number that %f and %e write; returns false if the value is not a number. */
static bool read_double(const struct value *v, double *out)
{
    if (v->kind == VALUE_DOUBLE)
        *out = v->floating;
    else if (v->kind != VALUE_STRING)
        return false;
    else if (str_eq(v->text, STR("NaN")))
        *out = NAN;
    else if (str_eq(v->text, STR("Infinity")) || str_eq(v->text, STR("-Infinity")))
        *out = v->text.at[0] == '-' ? -INFINITY : INFINITY;
    else
        return false;
    return true;
}

static void write_double(struct formatting *f, const struct format_clause *clause, const struct value *v,
                         int64_t precision)
{
    double value;
    if (!read_double(v, &value)) {
        complain(f, clause, v);
    } else if (precision > MAX_PRECISION) {
        *f->call->missing = STR("a precision of more than 32767 digits");
    } else if (clause->letter == 'e') {
        arena_pay_bytes(f->arena, (size_t)(precision < 0 ? 0 : precision));
        write_scientific(f, value, precision);
    } else if (isnan(value) || isinf(value)) {
        text_add(&f->out, isnan(value) ? STR("NaN") : value < 0 ? STR("-\u221e") : STR("\u221e"));
    } else {
        arena_pay_bytes(f->arena, (size_t)(precision < 0 ? 0 : precision));
        write_grouped(f, value, precision < 0 ? DEFAULT_PRECISION : precision);
    }
}

/* Writes the number in a base that is a power of two, with `bits` bits a digit. */
static void write_based(struct text *t, uint64_t magnitude, unsigned bits, const char *digits)
{
    char reversed[64];
    size_t count = 0;
    do
        reversed[count++] = digits[magnitude & ((1u << bits) - 1)];
    while ((magnitude >>= bits) != 0);
    while (count > 0)
        text_add_char(t, reversed[--count]);
}

static void write_hex_bytes(struct formatting *f, struct str s, const char *digits)
{
    arena_pay_bytes(f->arena, s.len);
    for (size_t i = 0; i < s.len; i++) {
        text_add_char(&f->out, digits[(unsigned char)s.at[i] >> 4]);
        text_add_char(&f->out, digits[(unsigned char)s.at[i] & 0xF]);
    }
}

static void write_integer(struct formatting *f, const struct format_clause *clause, const struct value *v)
{
    static const char lower[] = "0123456789abcdef", upper[] = "0123456789ABCDEF";
    const char *digits = clause->letter == 'X' ? upper : lower;
    bool is_hex = (clause->letter | 0x20) == 'x', is_int = v->kind == VALUE_INT;
    if (is_hex && (v->kind == VALUE_STRING || v->kind == VALUE_BYTES)) {
        write_hex_bytes(f, v->text, digits);
    } else if (clause->letter == 'b' && v->kind == VALUE_BOOL) {
        text_add_char(&f->out, v->boolean ? '1' : '0');
    } else if (!is_int && v->kind != VALUE_UINT) {
        complain(f, clause, v);
    } else if (clause->letter == 'd') {
        text_add(&f->out, value_text(f->arena, v));
    } else {
        bool is_negative = is_int && v->integer < 0;
        if (is_negative)
            text_add_char(&f->out, '-');
        unsigned bits = is_hex ? 4 : clause->letter == 'o' ? 3 : 1;
        write_based(&f->out, is_negative ? 0 - v->uinteger : v->uinteger, bits, digits);
    }
}

/* ---- the format ---- */

static void write_argument(struct formatting *f, const struct format_reading *clause, const struct value *v)
{
    char letter = clause->clause->letter;
    if (letter == 's')
        write_string(f, clause->clause, v);
    else if (letter == 'f' || letter == 'e')
        write_double(f, clause->clause, v, clause->precision);
    else
        write_integer(f, clause->clause, v);
    if (f->error.len != 0)
        f->error = str_join(f->arena, STR_PARTS(STR("error during formatting: "), f->error));
}

/* Writes the clause after a "%", which is at *at. */
static void write_clause(struct formatting *f, struct str format, size_t *at, size_t index)
{
    const struct value_list *args = f->call->args[1]->list;
    struct format_reading clause;
    if (index >= args->count)
        fail_with(f, ISSUE_OTHER, str_format(f->arena, "index %zu out of range", index));
    else if (*at == format.len)
        fail(f, STR("unexpected end of string"));
    else if (!format_clause_read(f->arena, format, at, &clause))
        fail(f, clause.error);
    else
        write_argument(f, &clause, args->items[index]);
}

const struct value *string_format_format(const struct invocation *c)
{
    struct formatting f = {.call = c, .arena = c->arena, .out = {.arena = c->arena}};
    struct str format = c->args[0]->text;
    size_t index = 0;
    arena_pay_bytes(c->arena, format.len);
    for (size_t at = 0; at < format.len && f.error.len == 0;) {
        char ch = format.at[at++];
        bool is_percent = ch == '%' && at < format.len && format.at[at] == '%';
        if (ch == '%' && !is_percent)
            write_clause(&f, format, &at, index++);
        else
            text_add_char(&f.out, ch);
        at += is_percent;
    }
    return f.error.len != 0 ? value_error_of(c->arena, f.code, f.error)
                            : value_string(c->arena, text_str(&f.out));
}

bool string_format_next(struct arena *a, struct str format, size_t *at, struct string_format_clause *out)
{
    struct format_reading reading;
    const size_t begin = *at;
    while (*at < format.len && (format.at[*at] != '%' || (*at + 1 < format.len && format.at[*at + 1] == '%')))
        *at += format.at[*at] == '%' ? 2 : 1;
    arena_pay_bytes(a, *at - begin);
    if (*at + 1 >= format.len)
        return false;
    ++*at;
    if (!format_clause_read(a, format, at, &reading))
        return false;
    *out = (struct string_format_clause){reading.clause->kinds, reading.clause->complaint};
    return true;
}
