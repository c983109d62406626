#include "typecheck/cel/interpreter/functions/functions.h"

#include <math.h>
#include <stddef.h>

#include "typecheck/base/arena.h"
#include "typecheck/cel/interpreter/functions/arithmetic.h"
#include "typecheck/cel/interpreter/functions/collections.h"
#include "typecheck/cel/interpreter/functions/conversions.h"
#include "typecheck/cel/interpreter/functions/lists.h"
#include "typecheck/cel/interpreter/functions/optionals.h"
#include "typecheck/cel/interpreter/functions/regexps.h"
#include "typecheck/cel/interpreter/functions/string_format.h"
#include "typecheck/cel/interpreter/functions/strings.h"
#include "typecheck/cel/interpreter/values/addresses.h"
#include "typecheck/cel/interpreter/values/authorizations.h"
#include "typecheck/cel/interpreter/values/equality.h"
#include "typecheck/cel/interpreter/values/named_formats.h"
#include "typecheck/cel/interpreter/values/quantities.h"
#include "typecheck/cel/interpreter/values/semvers.h"
#include "typecheck/cel/interpreter/values/times.h"
#include "typecheck/cel/interpreter/values/urls.h"
#include "typecheck/cel/types/decl.h"

static const struct value *logical_not(const struct invocation *c)
{
    return c->args[0]->kind == VALUE_BOOL ? value_bool(!c->args[0]->boolean) : value_no_overload(c->arena);
}

static const struct value *not_strictly_false(const struct invocation *c)
{
    return c->args[0]->kind == VALUE_BOOL ? c->args[0] : &value_true;
}

/* ---- comparisons ---- */

static bool is_nan(const struct value *v)
{
    return v->kind == VALUE_DOUBLE && isnan(v->floating);
}

/* The result where NaN takes part; NULL: it does not. */
static const struct value *compare_nan(const struct invocation *c)
{
    return is_nan(c->args[0]) || is_nan(c->args[1]) ? &value_false : NULL;
}

static const struct value *less_or_error(const struct invocation *c)
{
    int order;
    const struct value *error = equality_compare(c->arena, c->args[0], c->args[1], &order);
    return error != NULL ? error : value_bool(order < 0);
}

static const struct value *less(const struct invocation *c)
{
    const struct value *v = compare_nan(c);
    return v != NULL ? v : less_or_error(c);
}

static const struct value *less_equals_or_error(const struct invocation *c)
{
    int order;
    const struct value *error = equality_compare(c->arena, c->args[0], c->args[1], &order);
    return error != NULL ? error : value_bool(order <= 0);
}

static const struct value *less_equals(const struct invocation *c)
{
    const struct value *v = compare_nan(c);
    return v != NULL ? v : less_equals_or_error(c);
}

static const struct value *greater_or_error(const struct invocation *c)
{
    int order;
    const struct value *error = equality_compare(c->arena, c->args[0], c->args[1], &order);
    return error != NULL ? error : value_bool(order > 0);
}

static const struct value *greater(const struct invocation *c)
{
    const struct value *v = compare_nan(c);
    return v != NULL ? v : greater_or_error(c);
}

static const struct value *greater_equals_or_error(const struct invocation *c)
{
    int order;
    const struct value *error = equality_compare(c->arena, c->args[0], c->args[1], &order);
    return error != NULL ? error : value_bool(order >= 0);
}

static const struct value *greater_equals(const struct invocation *c)
{
    const struct value *v = compare_nan(c);
    return v != NULL ? v : greater_equals_or_error(c);
}

/* ---- the table ---- */

#define K(kind) VALUE_KIND(VALUE_##kind)

/* The types that have each of cel-go's traits. */
#define NUMBERS     (K(INT) | K(UINT) | K(DOUBLE))
#define TIMES       (K(DURATION) | K(TIMESTAMP))
#define TEXTS       (K(STRING) | K(BYTES))
#define SUBTRACTORS (NUMBERS | TIMES)
#define ADDERS      (NUMBERS | TIMES | TEXTS | K(LIST))
#define ORDERED     (NUMBERS | TIMES | TEXTS | K(BOOL))
#define NEGATORS    (K(BOOL) | K(INT) | K(DOUBLE) | K(DURATION))
#define SIZED       (TEXTS | K(LIST) | K(MAP))

#define ANY      0
#define INTEGERS (K(INT) | K(UINT))
#define LIST     K(LIST)
#define STRING   K(STRING)

/* The columns of functions.def; an empty one is none of these. */
#define COLUMN_CALL(function)         .call = (function)
#define COLUMN_WHOLE(function, first) .call = (function), .is_whole = true, .kinds = (first)
#define COLUMN_LISTED(function)       .call = (function), .shape = FUNCTION_OF_LIST
#define COLUMN_STEP                   .is_step = true
#define COLUMN_NONE                   .call = NULL
#define COLUMN_PRICE(name)            .price = price_##name
#define COLUMN_PRICE_BY_NAME(name)    .price = price_##name, .has_price_by_name = true

/* Rows by an overload's call_row: every BEFORE comes after every FUNCTION. */
static const struct function_row rows[] = {
#define FUNCTION(library, function, overload, signature, when, call, price, estimate)                        \
    {COLUMN_##call, COLUMN_##price},
#define BEFORE(feature, overload, call, price) {COLUMN_##call, COLUMN_##price},
#include "typecheck/cel/types/functions.def"
};

const struct function_row *functions_row(const struct overload *o)
{
    return &rows[o->call_row];
}

price_function *functions_price(const struct function *function, const struct overload *o)
{
    if (o != NULL)
        return functions_row(o)->price;
    for (size_t i = 0; i < function->count; i++) {
        const struct function_row *row = &rows[function->overloads[i].row];
        if (row->has_price_by_name)
            return row->price;
    }
    return price_one;
}
