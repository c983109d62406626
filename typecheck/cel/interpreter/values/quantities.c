/*
 * The file reads, computes and writes quantities, each as Go does, with the same roundings and overflows. A
 * quantity has one of two forms: 64 bits with a power of ten, or a decimal. Reading tries the first form
 * (read_int), and sums keep it as long as they fit; the form of a result is visible to policies. In newer
 * releases quantities are bounded: digits and exponents of decimals have limits (is_bounded). The functions
 * whose names end with _unbounded are those of older releases.
 */
#include "typecheck/cel/interpreter/values/quantities.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "typecheck/base/arena.h"
#include "typecheck/golang/gonumber.h"

/* Digits that always fit 64 bits; the least power of ten; digits below it are rounded, or refused. */
enum { INT_DIGITS = 18, NANO = -9, BINARY_DIGITS = 15 };

/* The same where a quantity is bounded: digits of a decimal, and powers of ten between two that are added. */
enum { BOUNDED_INT_DIGITS = 19, DECIMAL_DIGITS = 29, BINARY_DECIMAL_DIGITS = 70, SCALE_GAP = 29 };

static const struct {
    struct str text;
    uint8_t base;
    int32_t exponent;
} suffixes[] = {
    {STR_INIT(""), 10, 0},   {STR_INIT("n"), 10, -9}, {STR_INIT("u"), 10, -6}, {STR_INIT("m"), 10, -3},
    {STR_INIT("k"), 10, 3},  {STR_INIT("M"), 10, 6},  {STR_INIT("G"), 10, 9},  {STR_INIT("T"), 10, 12},
    {STR_INIT("P"), 10, 15}, {STR_INIT("E"), 10, 18}, {STR_INIT("Ki"), 2, 10}, {STR_INIT("Mi"), 2, 20},
    {STR_INIT("Gi"), 2, 30}, {STR_INIT("Ti"), 2, 40}, {STR_INIT("Pi"), 2, 50}, {STR_INIT("Ei"), 2, 60},
};
#define SUFFIX_COUNT (sizeof suffixes / sizeof *suffixes)

/* ---- 64 bits, as Go wraps them ---- */

static bool multiply_ten(int64_t *value)
{
    return !__builtin_mul_overflow(*value, 10, value);
}

/* value * 10^scale */
static bool scale_up(int64_t *value, int64_t scale)
{
    bool fits = true;
    for (int64_t i = 0; *value != 0 && fits && i < scale; i++)
        fits = multiply_ten(value);
    return fits;
}

static bool add_ints(int64_t *one, int64_t two)
{
    int64_t sum;
    bool fits = !__builtin_add_overflow(*one, two, &sum);
    if (fits)
        *one = sum;
    return fits;
}

/* ---- reading ---- */

struct parts {
    bool is_negative;
    struct str number; /* with its sign and point */
    struct str whole, fraction, suffix;
};

static size_t skip(struct str s, size_t at, const char *any)
{
    while (at < s.len && s.at[at] != '\0' && strchr(any, s.at[at]) != NULL)
        at++;
    return at;
}

static struct str slice(struct str s, size_t from, size_t to)
{
    return (struct str){s.at + from, to - from};
}

static bool split(struct str s, struct parts *out)
{
    static const char digits[] = "0123456789";
    bool is_signed = s.at[0] == '-' || s.at[0] == '+';
    size_t start = skip(s, is_signed, "0"), at = skip(s, start, digits);
    *out = (struct parts){.is_negative = s.at[0] == '-', .whole = slice(s, start, at)};
    if (out->whole.len == 0)
        out->whole = STR("0");
    if (start == s.len) {
        out->number = STR("0");
        return true;
    }
    if (at < s.len && s.at[at] == '.') {
        size_t end = skip(s, at + 1, digits);
        out->fraction = slice(s, at + 1, end);
        at = end;
    }
    out->number = slice(s, 0, at);
    size_t end = skip(s, at, "eEinumkKMGTP");
    if (end < s.len && (s.at[end] == '-' || s.at[end] == '+'))
        end++;
    end = skip(s, end, digits);
    out->suffix = slice(s, at, end);
    return end == s.len;
}

static bool read_suffix(struct str s, enum quantity_format *format, int32_t *exponent)
{
    int64_t number;
    for (size_t i = 0; i < SUFFIX_COUNT; i++) {
        if (!str_eq(s, suffixes[i].text))
            continue;
        *format = suffixes[i].base == 2 ? QUANTITY_BINARY_SI : QUANTITY_DECIMAL_SI;
        *exponent = suffixes[i].exponent;
        return true;
    }
    if (s.len < 2 || (s.at[0] != 'e' && s.at[0] != 'E') || !gonumber_read_int(slice(s, 1, s.len), &number))
        return false;
    *format = QUANTITY_DECIMAL_EXPONENT;
    *exponent = (int32_t)(uint32_t)(uint64_t)number;
    return true;
}

/* The digits as an integer; of a bounded quantity, the least one, too, which has no positive number. */
static bool read_digits(const struct parts *parts, struct str digits, bool is_bounded, int64_t *value)
{
    if (gonumber_read_int(digits, value)) {
        *value = parts->is_negative ? -*value : *value;
        return true;
    }
    *value = INT64_MIN;
    return is_bounded && parts->is_negative && str_eq(digits, STR("9223372036854775808"));
}

/* Reads a quantity that fits 64 bits; false if it does not. */
static bool read_int(struct arena *a, const struct parts *parts, struct str text, int32_t exponent,
                     struct quantity *out)
{
    struct str digits = str_join(a, STR_PARTS(parts->whole, parts->fraction));
    bool is_binary = out->format == QUANTITY_BINARY_SI;
    int64_t precision = (out->is_bounded ? BOUNDED_INT_DIGITS : INT_DIGITS) - (int64_t)digits.len;
    int64_t value, result;
    bool is_long = out->is_bounded && precision <= 0;
    if (is_binary)
        precision = BINARY_DIGITS - (int64_t)digits.len - exponent * 3 / 10 - 1;
    if (is_binary && parts->fraction.len != 0)
        return false;
    int32_t scale = (int32_t)((uint32_t)(is_binary ? 0 : exponent) - (uint32_t)parts->fraction.len);
    if (precision < 0 || scale < NANO || !read_digits(parts, digits, out->is_bounded, &value) ||
        __builtin_mul_overflow(value, is_binary ? (int64_t)1 << exponent : 1, &result))
        return false;
    out->value = result;
    out->scale = scale;
    bool is_canonical =
        is_binary ? (value & 7) != 0
                  : scale % 3 == 0 && !str_has_suffix(digits, STR("000")) && digits.at[0] != '0' && !is_long;
    if (is_canonical)
        out->text = text;
    return true;
}

/* Rounds digits finer than 10^exponent away from zero; a number without such digits stays as it is. */
static struct decimal with_exponent(struct arena *a, const struct decimal *x, int64_t exponent)
{
    if (exponent <= INT32_MIN || -(int64_t)x->scale >= exponent)
        return *x;
    return decimal_round_up(a, x, (int32_t)-exponent);
}

/* The first digits, and one more in the last place if the others are not all 0. */
static struct decimal bound_digits(struct arena *a, struct decimal x, size_t most)
{
    if (x.digits.len <= most)
        return x;
    return with_exponent(a, &x, (int64_t)(x.digits.len - most) - x.scale);
}

/* Multiplies *x by 10^exponent, and keeps its scale within 32 bits. Returns false if that is not possible. */
static bool raise_bounded(struct arena *a, struct decimal *x, int32_t exponent)
{
    if (exponent == INT32_MIN)
        return false;
    int64_t raised = exponent - (int64_t)x->scale;
    if (raised > INT32_MIN) {
        x->scale = (int32_t) - (raised < INT32_MAX ? raised : INT32_MAX);
        return true;
    }
    *x = with_exponent(a, x, NANO - (int64_t)exponent);
    x->scale = -NANO;
    return true;
}

/* Reads a quantity as a decimal. A too large one is cut to the largest integer, a too small one becomes the
 * smallest that there is. */
static bool read_decimal(struct arena *a, const struct parts *parts, int32_t exponent, struct quantity *out)
{
    struct decimal x, most = decimal_of_int(a, INT64_MAX, 0), one = decimal_of_int(a, 1, 0);
    bool is_binary = out->format == QUANTITY_BINARY_SI;
    if (!decimal_read(a, parts->number, &x))
        return false;
    if (out->is_bounded)
        x = bound_digits(a, x, is_binary ? BINARY_DECIMAL_DIGITS : DECIMAL_DIGITS);
    if (!is_binary && out->is_bounded)
        (void)raise_bounded(a, &x, exponent);
    else if (!is_binary)
        x.scale = (int32_t)((uint32_t)x.scale - (uint32_t)exponent);
    for (int32_t i = 0; is_binary && i < exponent; i += 10)
        x = decimal_multiply(a, &x, 1024);
    bool is_negative = x.is_negative;
    x.is_negative = false;
    if (x.digits.len != 0)
        x = out->is_bounded ? with_exponent(a, &x, NANO) : decimal_round_up(a, &x, -NANO);
    if (out->format == QUANTITY_BINARY_SI && decimal_compare(a, &x, &most) > 0)
        x = most;
    if (out->format == QUANTITY_BINARY_SI && decimal_sign(&x) > 0 && decimal_compare(a, &x, &one) < 0)
        out->format = QUANTITY_DECIMAL_SI;
    out->is_decimal = true;
    out->decimal = is_negative ? decimal_negate(x) : x;
    return true;
}

/* The reason why the text is not a quantity; NULL if it is one. */
static const char *read_quantity(struct arena *a, struct str text, bool is_bounded, struct quantity *out)
{
    struct parts parts;
    int32_t exponent;
    *out = (struct quantity){.format = QUANTITY_DECIMAL_SI, .is_bounded = is_bounded};
    arena_pay_bytes(a, text.len);
    if (text.len == 0 || !split(text, &parts))
        return "quantities must match the regular expression "
               "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    if (!read_suffix(parts.suffix, &out->format, &exponent))
        return "unable to parse quantity's suffix";
    if (read_int(a, &parts, text, exponent, out))
        return NULL;
    if (is_bounded && exponent == INT32_MIN)
        return "unable to parse quantity's suffix";
    return read_decimal(a, &parts, exponent, out) ? NULL : "unable to parse numeric part of quantity";
}

/* ---- computing ---- */

static struct decimal as_decimal(struct arena *a, const struct quantity *q)
{
    return q->is_decimal ? q->decimal : decimal_of_int(a, q->value, (int32_t)(0 - (uint32_t)q->scale));
}

static void make_decimal(struct arena *a, struct quantity *q)
{
    q->decimal = as_decimal(a, q);
    q->is_decimal = true;
}

static int sign(const struct quantity *q)
{
    if (q->is_decimal)
        return decimal_sign(&q->decimal);
    return (q->value > 0) - (q->value < 0);
}

/* The first digits decide where their places are not the same: the others need not be written out. */
static int compare(struct arena *a, const struct quantity *one, const struct quantity *two)
{
    struct decimal x = as_decimal(a, one), y = as_decimal(a, two);
    int64_t place = (int64_t)x.digits.len - x.scale, other = (int64_t)y.digits.len - y.scale;
    int sign_of_both = decimal_sign(&x);
    if (sign_of_both != 0 && sign_of_both == decimal_sign(&y) && place != other)
        return place > other ? sign_of_both : -sign_of_both;
    return decimal_compare(a, &x, &y);
}

static int compare_int(struct arena *a, const struct quantity *q, int64_t value)
{
    return compare(a, q, &(struct quantity){.value = value});
}

/* Go's difference of two scales wraps, unless the quantity is bounded. */
static int64_t scale_distance(const struct quantity *q, int32_t from, int32_t to)
{
    return q->is_bounded ? (int64_t)from - to : (int32_t)((uint32_t)from - (uint32_t)to);
}

/* Returns false if the sum needs more than 64 bits. */
static bool add_int_quantities(struct quantity *q, const struct quantity *other)
{
    int64_t one = q->value, two = other->value;
    int32_t scale = q->scale < other->scale ? q->scale : other->scale;
    if (two == 0)
        return true;
    if (one == 0)
        scale = other->scale;
    else if (!scale_up(&one, scale_distance(q, q->scale, scale)) ||
             !scale_up(&two, scale_distance(q, other->scale, scale)))
        return false;
    if (!add_ints(&one, two))
        return false;
    q->value = one;
    q->scale = scale;
    return true;
}

static const struct value *new_value(struct arena *a, const struct quantity *q)
{
    struct value *v = ARENA_NEW(a, struct value);
    v->kind = VALUE_QUANTITY;
    v->quantity = ARENA_NEW(a, struct quantity);
    *v->quantity = *q;
    return v;
}

/* The one that is far finer than the other is rounded. */
static struct decimal add_decimals(struct arena *a, bool is_bounded, const struct decimal *x,
                                   const struct decimal *y)
{
    if (!is_bounded)
        return decimal_add(a, x, y);
    if (decimal_sign(x) == 0 || decimal_sign(y) == 0)
        return decimal_sign(y) == 0 ? *x : *y;
    struct decimal one = with_exponent(a, x, -(int64_t)y->scale - SCALE_GAP);
    struct decimal two = with_exponent(a, y, -(int64_t)x->scale - SCALE_GAP);
    return decimal_add(a, &one, &two);
}

/* Zero takes the other's format. The least integer has no negative, and Go takes it for its own. */
static const struct value *add(struct arena *a, const struct quantity *one, const struct quantity *two,
                               bool subtracts)
{
    struct quantity sum = *one, other = *two;
    sum.text = STR("");
    sum.is_sum = true;
    if (sign(one) == 0)
        sum.format = two->format;
    if (subtracts)
        other.value = (int64_t)(0 - (uint64_t)two->value);
    bool has_no_negative = one->is_bounded && subtracts && two->value == INT64_MIN;
    if (!sum.is_decimal && !two->is_decimal && !has_no_negative && add_int_quantities(&sum, &other))
        return new_value(a, &sum);
    struct decimal x = as_decimal(a, one), y = as_decimal(a, two);
    if (subtracts)
        y = decimal_negate(y);
    sum.is_decimal = true;
    sum.decimal = add_decimals(a, one->is_bounded, &x, &y);
    return new_value(a, &sum);
}

/* ---- writing ---- */

static struct str suffix_text(struct arena *a, enum quantity_format format, int64_t exponent)
{
    if (format == QUANTITY_DECIMAL_EXPONENT)
        return exponent == 0 ? STR("") : str_format(a, "e%" PRId64, exponent);
    for (size_t i = 0; i < SUFFIX_COUNT; i++) {
        bool is_binary = suffixes[i].base == 2;
        if (suffixes[i].exponent == exponent && is_binary == (format == QUANTITY_BINARY_SI))
            return suffixes[i].text;
    }
    return STR("");
}

static bool lacks_suffix(struct arena *a, enum quantity_format format, int64_t exponent)
{
    return exponent != 0 && suffix_text(a, format, exponent).len == 0;
}

static void add_number(struct text *t, const struct decimal *digits, enum quantity_format format,
                       int64_t exponent)
{
    text_add(t, decimal_unscaled_text(t->arena, digits));
    text_add(t, suffix_text(t->arena, format, exponent));
}

/* The exponent is a multiple of 3; a bounded quantity writes it as a number where it has no letter. */
static void write_digits(struct text *t, const struct quantity *q, struct decimal x,
                         enum quantity_format format)
{
    int64_t exponent = -(int64_t)x.scale;
    while (x.digits.len > 1 && x.digits.at[x.digits.len - 1] == '0') {
        x.digits.len--;
        exponent++;
    }
    for (; exponent % 3 != 0; exponent--)
        x = decimal_multiply(t->arena, &x, 10);
    bool is_number = q->is_bounded && lacks_suffix(t->arena, format, exponent);
    add_number(t, &x, is_number ? QUANTITY_DECIMAL_EXPONENT : format, exponent);
}

static void write_decimal(struct text *t, const struct quantity *q, enum quantity_format format)
{
    write_digits(t, q, as_decimal(t->arena, q), format);
}

/* Returns false if the quantity is not a whole number. */
static bool write_binary(struct text *t, const struct quantity *q)
{
    struct decimal x = as_decimal(t->arena, q), rounded = decimal_round_up(t->arena, &x, 0), quotient;
    struct decimal whole = rounded;
    unsigned rest = 0;
    int64_t exponent = 0;
    if (decimal_compare(t->arena, &x, &rounded) != 0)
        return false;
    for (;; exponent += 10) {
        quotient = decimal_divide(t->arena, &rounded, 1024, &rest);
        if (rest != 0)
            break;
        rounded = quotient;
    }
    if (q->is_bounded && lacks_suffix(t->arena, QUANTITY_BINARY_SI, exponent))
        write_digits(t, q, whole, QUANTITY_DECIMAL_EXPONENT);
    else
        add_number(t, &rounded, QUANTITY_BINARY_SI, exponent);
    return true;
}

struct str quantities_text(struct arena *a, const struct value *v)
{
    const struct quantity *q = v->quantity;
    struct text t = {.arena = a};
    if (q->text.len != 0)
        return q->text;
    if (sign(q) == 0)
        return STR("0");
    bool is_small = compare_int(a, q, -1024) > 0 && compare_int(a, q, 1024) < 0;
    bool is_binary = q->format == QUANTITY_BINARY_SI;
    if (is_binary && !is_small && write_binary(&t, q))
        return text_str(&t);
    write_decimal(&t, q, is_binary ? QUANTITY_DECIMAL_SI : q->format);
    return text_str(&t);
}

/* ---- functions ---- */

bool quantities_are_equal(struct arena *a, const struct value *one, const struct value *two)
{
    return compare(a, one->quantity, two->quantity) == 0;
}

bool quantities_texts_are_equal(struct arena *a, const struct value *one, const struct value *two)
{
    struct quantity x, y;
    return read_quantity(a, one->text, false, &x) == NULL && read_quantity(a, two->text, false, &y) == NULL &&
           compare(a, &x, &y) == 0;
}

static const struct value *quantity_of(const struct invocation *c, bool is_bounded)
{
    struct quantity q;
    const char *why = read_quantity(c->arena, c->args[0]->text, is_bounded, &q);
    return why == NULL ? new_value(c->arena, &q) : value_error(c->arena, str_of(why));
}

const struct value *quantities_quantity(const struct invocation *c)
{
    return quantity_of(c, true);
}

const struct value *quantities_quantity_unbounded(const struct invocation *c)
{
    return quantity_of(c, false);
}

const struct value *quantities_is_quantity(const struct invocation *c)
{
    struct quantity q;
    return value_bool(read_quantity(c->arena, c->args[0]->text, true, &q) == NULL);
}

const struct value *quantities_is_quantity_unbounded(const struct invocation *c)
{
    struct quantity q;
    return value_bool(read_quantity(c->arena, c->args[0]->text, false, &q) == NULL);
}

const struct value *quantities_sign(const struct invocation *c)
{
    return value_int(c->arena, sign(c->args[0]->quantity));
}

const struct value *quantities_is_greater(const struct invocation *c)
{
    return value_bool(compare(c->arena, c->args[0]->quantity, c->args[1]->quantity) > 0);
}

const struct value *quantities_is_less(const struct invocation *c)
{
    return value_bool(compare(c->arena, c->args[0]->quantity, c->args[1]->quantity) < 0);
}

const struct value *quantities_compare(const struct invocation *c)
{
    return value_int(c->arena, compare(c->arena, c->args[0]->quantity, c->args[1]->quantity));
}

/* Before quantities were bounded, a comparison with a decimal left a decimal behind. Go divides by zero where
 * its scales overflow. */
static const struct value *order_of(const struct invocation *c, int *order)
{
    struct quantity *one = c->args[0]->quantity;
    const struct quantity *two = c->args[1]->quantity;
    int64_t distance = (int64_t)one->scale - two->scale;
    if (one->is_decimal || two->is_decimal)
        make_decimal(c->arena, one);
    else if (distance > INT32_MAX || distance < -INT32_MAX)
        return value_fatal(c->arena, STR("internal error: runtime error: integer divide by zero"));
    *order = compare(c->arena, one, two);
    return NULL;
}

const struct value *quantities_is_greater_unbounded(const struct invocation *c)
{
    int order = 0;
    const struct value *fatal = order_of(c, &order);
    return fatal != NULL ? fatal : value_bool(order > 0);
}

const struct value *quantities_is_less_unbounded(const struct invocation *c)
{
    int order = 0;
    const struct value *fatal = order_of(c, &order);
    return fatal != NULL ? fatal : value_bool(order < 0);
}

const struct value *quantities_compare_unbounded(const struct invocation *c)
{
    int order = 0;
    const struct value *fatal = order_of(c, &order);
    return fatal != NULL ? fatal : value_int(c->arena, order);
}

/* math.Pow10, which is a product of two powers. */
static double power_of_ten(int64_t n)
{
    static const double low[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10,
                                 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21,
                                 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31};
    static const double high[] = {1e0, 1e32, 1e64, 1e96, 1e128, 1e160, 1e192, 1e224, 1e256, 1e288};
    static const double tiny[] = {1e0,    1e-32,  1e-64,  1e-96,  1e-128, 1e-160,
                                  1e-192, 1e-224, 1e-256, 1e-288, 1e-320};
    if (n >= 0 && n <= 308)
        return high[n / 32] * low[n % 32];
    if (n >= -323 && n < 0)
        return tiny[-n / 32] / low[-n % 32];
    return n > 0 ? HUGE_VAL : 0;
}

const struct value *quantities_float(const struct invocation *c)
{
    const struct quantity *q = c->args[0]->quantity;
    double base = (double)q->value;
    int64_t exponent = q->scale;
    if (q->is_decimal) {
        struct str digits = str_copy(c->arena, decimal_unscaled_text(c->arena, &q->decimal));
        base = strtod(digits.at, NULL);
        exponent = -(int64_t)q->decimal.scale;
    }
    bool is_zero = q->is_bounded && base == 0; /* and not 0 times infinity */
    return value_double(c->arena, exponent == 0 || is_zero ? base : base * power_of_ten(exponent));
}

static bool read_as_int(const struct quantity *q, int64_t *out)
{
    *out = q->value;
    return !q->is_decimal && q->scale >= 0 && scale_up(out, q->scale);
}

const struct value *quantities_integer(const struct invocation *c)
{
    int64_t value;
    if (!read_as_int(c->args[0]->quantity, &value))
        return value_error_of(c->arena, ISSUE_OTHER, STR("cannot convert value to integer"));
    return value_int(c->arena, value);
}

const struct value *quantities_is_integer(const struct invocation *c)
{
    int64_t value;
    return value_bool(read_as_int(c->args[0]->quantity, &value));
}

/* The operand of an addition: a quantity, or an integer. */
static struct quantity summand(const struct value *v)
{
    if (v->kind == VALUE_QUANTITY)
        return *v->quantity;
    return (struct quantity){.value = v->integer, .format = QUANTITY_DECIMAL_EXPONENT};
}

const struct value *quantities_add(const struct invocation *c)
{
    struct quantity other = summand(c->args[1]);
    return add(c->arena, c->args[0]->quantity, &other, false);
}

const struct value *quantities_sub(const struct invocation *c)
{
    struct quantity other = summand(c->args[1]);
    return add(c->arena, c->args[0]->quantity, &other, true);
}
