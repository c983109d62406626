/*
 * functions: the table of CEL's functions: the C function of each, and what a call costs.
 *
 * A row is one overload, by the id that types/stdlib.c and types/k8slib.c
 * declare with its signature and its versions; or a whole function, whose one
 * implementation serves all overloads (cel-go calls that a singleton). A function without a row is not
 * evaluated.
 */
#ifndef TYPECHECK_FUNCTIONS_FUNCTIONS_H
#define TYPECHECK_FUNCTIONS_FUNCTIONS_H

#include <stdbool.h>

#include "typecheck/functions/price.h"
#include "typecheck/values/function.h"

struct celgo;

/* How cel-go calls the function, which decides what it evaluates after an argument that fails. */
enum function_shape {
    FUNCTION_OF_ARITY, /* up to two arguments: all are evaluated; more: up to the first that fails */
    FUNCTION_OF_LIST,  /* up to the first argument that fails */
};

struct function_row {
    struct str function;
    struct str overload; /* empty: any overload */
    function_call *call;
    price_function *price; /* NULL: price_one */
    uint32_t kinds;        /* of a whole function: the kinds of the first argument (VALUE_KIND); 0: any */
    enum function_shape shape;
    bool has_price_by_name; /* the price is used for every overload, also an unknown one */
};

/* The row of a whole function, or of an overload, in this release of cel-go (NULL: the newest); NULL: there
 * is none. */
const struct function_row *functions_whole(struct str function, const struct celgo *celgo);
const struct function_row *functions_overload(struct str function, struct str overload,
                                              const struct celgo *celgo);

/* The price of a call of the overload with this id; empty: the overload is not known. */
price_function *functions_price(struct str function, struct str overload, const struct celgo *celgo);

#endif
