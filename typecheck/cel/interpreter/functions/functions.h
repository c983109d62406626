/*
 * functions: the C function of each of CEL's functions, and what a call costs: the rows of functions.def.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_FUNCTIONS_FUNCTIONS_H
#define TYPECHECK_CEL_INTERPRETER_FUNCTIONS_FUNCTIONS_H

#include <stdbool.h>

#include "typecheck/cel/interpreter/functions/price.h"
#include "typecheck/cel/interpreter/values/function.h"

struct function;
struct overload;

/* Says how cel-go calls the function, which decides what it evaluates after an argument that fails. */
enum function_shape {
    FUNCTION_OF_ARITY, /* up to two arguments: all are evaluated; more: up to the first that fails */
    FUNCTION_OF_LIST,  /* up to the first argument that fails */
};

/* The evaluation and the price of an overload. */
struct function_row {
    /* The C function; NULL if a step of its own evaluates the overload, or nothing does. */
    function_call *call;
    price_function *price; /* of a call */
    uint32_t kinds;        /* of a whole function: the kinds of the first argument (VALUE_KIND); 0: any */
    enum function_shape shape;
    bool is_whole;          /* `call` is for every overload of the function */
    bool is_step;           /* a step of run.c evaluates it */
    bool has_price_by_name; /* the price is also that of a call whose overload is not known */
};

/* The row of an overload, in its environment's release of cel-go. */
const struct function_row *functions_row(const struct overload *o);

/* The price of a call of the overload. If `o` is NULL, because the overload is not known, it is the price of
 * any call of the function. */
price_function *functions_price(const struct function *function, const struct overload *o);

#endif
