/*
 * arithmetic: + - * / % and the sign, on all that has them.
 */
#ifndef TYPECHECK_RUN_ARITHMETIC_H
#define TYPECHECK_RUN_ARITHMETIC_H

#include "typecheck/run/function.h"

function_call arithmetic_add, arithmetic_subtract, arithmetic_multiply, arithmetic_divide, arithmetic_modulo,
    arithmetic_negate;

#endif
