/*
 * decimal: decimal numbers of any size, as Go's gopkg.in/inf.v0 computes with them for quantities.
 */
#ifndef TYPECHECK_GOLANG_DECIMAL_H
#define TYPECHECK_GOLANG_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/base/str.h"

struct arena;

/* digits * 10^-scale. */
struct decimal {
    bool is_negative;
    struct str digits; /* without leading zeros; empty: 0 */
    int32_t scale;
};

struct decimal decimal_of_int(struct arena *a, int64_t value, int32_t scale);
/* Reads "+1.50": an optional sign, digits, an optional point; false if there is no digit. */
bool decimal_read(struct arena *a, struct str text, struct decimal *out);

int decimal_sign(const struct decimal *x);
int decimal_compare(struct arena *a, const struct decimal *x, const struct decimal *y);
/* The sum, with the larger of the two scales. */
struct decimal decimal_add(struct arena *a, const struct decimal *x, const struct decimal *y);
struct decimal decimal_negate(struct decimal x);
/* The number with that scale, rounded away from zero. */
struct decimal decimal_round_up(struct arena *a, const struct decimal *x, int32_t scale);
/* The digits times a small number, and divided by one; the rest of the division in *rest. */
struct decimal decimal_multiply(struct arena *a, const struct decimal *x, unsigned factor);
struct decimal decimal_divide(struct arena *a, const struct decimal *x, unsigned divisor, unsigned *rest);

/* The digits with their sign, without the scale. */
struct str decimal_unscaled_text(struct arena *a, const struct decimal *x);

#endif
