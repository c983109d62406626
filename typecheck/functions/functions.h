/*
 * functions: the table of CEL's functions: the C function of each, and what a call costs.
 *
 * A row is one overload, by the id that types/stdlib.c and types/k8slib.c
 * declare with its signature and its versions; or a whole function, whose one
 * implementation serves all overloads (cel-go calls that a singleton). What has
 * no row is not evaluated.
 */
#ifndef TYPECHECK_FUNCTIONS_FUNCTIONS_H
#define TYPECHECK_FUNCTIONS_FUNCTIONS_H

#include <stdbool.h>

#include "typecheck/functions/price.h"
#include "typecheck/values/function.h"

struct celgo;

/* How cel-go calls it, which shows in what it evaluates behind an argument that fails. */
enum function_shape {
    FUNCTION_OF_ARITY, /* up to two arguments: all of them; more: up to the first that fails */
    FUNCTION_OF_LIST,  /* up to the first argument that fails */
};

struct function_row {
    struct str function;
    struct str overload; /* empty: whatever overload */
    function_call *call;
    price_function *price; /* NULL: price_one */
    uint32_t kinds;        /* of a whole function: of the first argument (VALUE_KIND); 0: any */
    enum function_shape shape;
    bool has_price_by_name; /* whatever overload is called, and where it is not known */
};

/* NULL: there is none. */
const struct function_row *functions_whole(struct str function);
const struct function_row *functions_overload(struct str function, struct str overload);

/* What a call costs whose overload has that id; empty: it is not known. */
price_function *functions_price(struct str function, struct str overload, const struct celgo *celgo);

#endif
