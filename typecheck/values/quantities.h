/*
 * quantities: amounts as "1.5Gi" or "100m", as Kubernetes' pkg/api/resource reads and computes them.
 *
 * A quantity is a whole number and a power of ten, or a decimal where that does
 * not do. Which of the two shows: isInteger() is false of every decimal. And a
 * comparison with a decimal makes one of its receiver, for all who look later.
 */
#ifndef TYPECHECK_VALUES_QUANTITIES_H
#define TYPECHECK_VALUES_QUANTITIES_H

#include <stdbool.h>

#include "typecheck/base/decimal.h"
#include "typecheck/values/function.h"

enum quantity_format { QUANTITY_DECIMAL_SI, QUANTITY_BINARY_SI, QUANTITY_DECIMAL_EXPONENT };

struct quantity {
    bool is_decimal;
    int64_t value; /* value * 10^scale, unless is_decimal */
    int32_t scale;
    struct decimal decimal;
    enum quantity_format format;
    struct str text; /* as it was written, where that is canonical; empty: to be made */
    bool is_sum;     /* of add() and sub(): no other quantity equals it */
};

struct str quantities_text(struct arena *a, const struct value *v);
/* Without a look at is_sum. */
bool quantities_are_equal(struct arena *a, const struct value *one, const struct value *two);
/* Of strings: whether both are quantities and the same amount. */
bool quantities_texts_are_equal(struct arena *a, const struct value *one, const struct value *two);

function_call quantities_quantity, quantities_is_quantity, quantities_sign, quantities_is_greater,
    quantities_is_less, quantities_compare, quantities_float, quantities_integer, quantities_is_integer,
    quantities_add, quantities_sub;

#endif
