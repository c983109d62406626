/*
 * quantities: amounts as "1.5Gi" or "100m", as Kubernetes' pkg/api/resource reads and computes them.
 *
 * A quantity is a whole number and a power of ten, or a decimal if that is not
 * enough. The difference is visible: isInteger() is false for every decimal. And a
 * comparison with a decimal changes the receiver into a decimal, for all later uses, unless it is bounded.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_QUANTITIES_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_QUANTITIES_H

#include <stdbool.h>

#include "typecheck/cel/interpreter/values/function.h"
#include "typecheck/golang/decimal.h"

enum quantity_format { QUANTITY_DECIMAL_SI, QUANTITY_BINARY_SI, QUANTITY_DECIMAL_EXPONENT };

struct quantity {
    bool is_decimal;
    int64_t value; /* value * 10^scale, unless is_decimal */
    int32_t scale;
    struct decimal decimal;
    enum quantity_format format;
    struct str text; /* as it was written, if that is canonical; empty: not made yet */
    bool is_sum;     /* the result of add() or sub(), which no other quantity equals */
    bool is_bounded; /* features.def: bounds_quantities */
};

struct str quantities_text(struct arena *a, const struct value *v);
/* Returns true if the amounts are equal; is_sum is ignored. */
bool quantities_are_equal(struct arena *a, const struct value *one, const struct value *two);
/* Returns true if both strings are quantities of the same amount. */
bool quantities_texts_are_equal(struct arena *a, const struct value *one, const struct value *two);

/* Those that are called unbounded make and compare quantities that are not bounded. */
function_call quantities_quantity_unbounded, quantities_is_quantity_unbounded,
    quantities_is_greater_unbounded, quantities_is_less_unbounded, quantities_compare_unbounded;
function_call quantities_quantity, quantities_is_quantity, quantities_sign, quantities_is_greater,
    quantities_is_less, quantities_compare, quantities_float, quantities_integer, quantities_is_integer,
    quantities_add, quantities_sub;

#endif
