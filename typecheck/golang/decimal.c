#include "typecheck/golang/decimal.h"

#include <inttypes.h>

#include "typecheck/base/arena.h"

static struct str skip_zeros(struct str s)
{
    while (s.len > 0 && s.at[0] == '0')
        s = (struct str){s.at + 1, s.len - 1};
    return s;
}

struct decimal decimal_of_int(struct arena *a, int64_t value, int32_t scale)
{
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    struct str digits = magnitude == 0 ? STR("") : str_format(a, "%" PRIu64, magnitude);
    return (struct decimal){value < 0, digits, scale};
}

bool decimal_read(struct arena *a, struct str text, struct decimal *out)
{
    struct text t = {.arena = a};
    bool is_negative = text.len > 0 && text.at[0] == '-';
    size_t point = SIZE_MAX;
    arena_pay(a, text.len);
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '.')
            point = i;
        else if (str_is_digit(text.at[i]))
            text_add_char(&t, text.at[i]);
    }
    struct str digits = text_str(&t);
    out->scale = point == SIZE_MAX ? 0 : (int32_t)(text.len - point - 1);
    out->digits = skip_zeros(digits);
    out->is_negative = is_negative && out->digits.len != 0;
    return digits.len != 0;
}

int decimal_sign(const struct decimal *x)
{
    if (x->digits.len == 0)
        return 0;
    return x->is_negative ? -1 : 1;
}

/* The digit so many places from the right; 0 beyond them. */
static int digit_at(struct str digits, int64_t place)
{
    return place < 0 || place >= (int64_t)digits.len ? 0 : digits.at[digits.len - 1 - (size_t)place] - '0';
}

/* Compares the absolute values of two decimals that have digits. */
static int compare_magnitudes(struct arena *a, const struct decimal *x, const struct decimal *y)
{
    int64_t top_x = (int64_t)x->digits.len - x->scale, top_y = (int64_t)y->digits.len - y->scale;
    if (top_x != top_y)
        return top_x < top_y ? -1 : 1;
    size_t len = x->digits.len > y->digits.len ? x->digits.len : y->digits.len;
    arena_pay(a, len / ARENA_LOOKS_PER_STEP);
    for (size_t i = 0; i < len; i++) {
        int one = i < x->digits.len ? x->digits.at[i] : '0', two = i < y->digits.len ? y->digits.at[i] : '0';
        if (one != two)
            return one < two ? -1 : 1;
    }
    return 0;
}

int decimal_compare(struct arena *a, const struct decimal *x, const struct decimal *y)
{
    int one = decimal_sign(x), two = decimal_sign(y);
    if (one != two)
        return one < two ? -1 : 1;
    return one == 0 ? 0 : one * compare_magnitudes(a, x, y);
}

struct decimal decimal_negate(struct decimal x)
{
    x.is_negative = !x.is_negative && x.digits.len != 0;
    return x;
}

/* Places that a sum of that scale has, the carry included. */
static size_t places_of(const struct decimal *x, int32_t scale)
{
    return (size_t)((int64_t)x->digits.len + ((int64_t)scale - x->scale)) + 1;
}

/* |x| + |y|, or |x| - |y| if that is not negative, digit by digit. */
static struct str combine(struct arena *a, const struct decimal *x, const struct decimal *y, int32_t scale,
                          bool subtracts)
{
    size_t one = places_of(x, scale), two = places_of(y, scale), len = one > two ? one : two;
    arena_pay(a, len);
    char *out = arena_alloc(a, len);
    int carry = 0;
    for (size_t i = 0; i < len; i++) {
        int64_t place = (int64_t)i - scale;
        int other = digit_at(y->digits, place + y->scale);
        int sum = digit_at(x->digits, place + x->scale) + carry + (subtracts ? -other : other);
        carry = sum < 0 ? -1 : sum / 10;
        out[len - 1 - i] = (char)('0' + (sum + 10) % 10);
    }
    return skip_zeros((struct str){out, len});
}

struct decimal decimal_add(struct arena *a, const struct decimal *x, const struct decimal *y)
{
    struct decimal sum = {.scale = x->scale > y->scale ? x->scale : y->scale};
    bool subtracts = x->is_negative != y->is_negative;
    bool is_swapped =
        subtracts && decimal_sign(y) != 0 && (decimal_sign(x) == 0 || compare_magnitudes(a, x, y) < 0);
    const struct decimal *larger = is_swapped ? y : x, *smaller = is_swapped ? x : y;
    sum.digits = combine(a, larger, smaller, sum.scale, subtracts);
    sum.is_negative = (decimal_sign(larger) == 0 ? smaller : larger)->is_negative && sum.digits.len != 0;
    return sum;
}

struct decimal decimal_round_up(struct arena *a, const struct decimal *x, int32_t scale)
{
    struct decimal out = {x->is_negative, x->digits, scale};
    int64_t more = (int64_t)scale - x->scale;
    if (x->digits.len == 0)
        return out;
    if (more >= 0) {
        arena_pay(a, (uint64_t)more);
        char *digits = arena_alloc(a, x->digits.len + (size_t)more);
        memcpy(digits, x->digits.at, x->digits.len);
        memset(digits + x->digits.len, '0', (size_t)more);
        out.digits = (struct str){digits, x->digits.len + (size_t)more};
        return out;
    }
    size_t cut = -more > (int64_t)x->digits.len ? x->digits.len : (size_t)-more;
    bool is_exact = true;
    arena_pay(a, cut);
    for (size_t i = x->digits.len - cut; i < x->digits.len; i++)
        is_exact = is_exact && x->digits.at[i] == '0';
    out.digits.len -= cut;
    struct decimal one = {x->is_negative, STR_INIT("1"), scale};
    return is_exact ? out : decimal_add(a, &out, &one);
}

struct decimal decimal_multiply(struct arena *a, const struct decimal *x, unsigned factor)
{
    enum { FACTOR_DIGITS = 10 };
    size_t len = x->digits.len + FACTOR_DIGITS;
    char *digits = arena_alloc(a, len);
    uint64_t carry = 0;
    arena_pay(a, len);
    for (size_t i = 0; i < len; i++) {
        carry += (uint64_t)digit_at(x->digits, (int64_t)i) * factor;
        digits[len - 1 - i] = (char)('0' + carry % 10);
        carry /= 10;
    }
    return (struct decimal){x->is_negative, skip_zeros((struct str){digits, len}), x->scale};
}

struct decimal decimal_divide(struct arena *a, const struct decimal *x, unsigned divisor, unsigned *rest)
{
    char *digits = arena_alloc(a, x->digits.len);
    uint64_t left = 0;
    arena_pay(a, x->digits.len);
    for (size_t i = 0; i < x->digits.len; i++) {
        left = left * 10 + (uint64_t)(x->digits.at[i] - '0');
        digits[i] = (char)('0' + left / divisor);
        left %= divisor;
    }
    *rest = (unsigned)left;
    struct str quotient = skip_zeros((struct str){digits, x->digits.len});
    return (struct decimal){x->is_negative && quotient.len != 0, quotient, x->scale};
}

struct str decimal_unscaled_text(struct arena *a, const struct decimal *x)
{
    if (x->digits.len == 0)
        return STR("0");
    return str_join(a, STR_PARTS(x->is_negative ? STR("-") : STR(""), x->digits));
}
