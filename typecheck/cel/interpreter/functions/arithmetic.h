/*
 * arithmetic: the operators + - * / % and the minus sign, on every type that has them.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_FUNCTIONS_ARITHMETIC_H
#define TYPECHECK_CEL_INTERPRETER_FUNCTIONS_ARITHMETIC_H

#include "typecheck/cel/interpreter/values/function.h"

function_call arithmetic_add, arithmetic_subtract, arithmetic_multiply, arithmetic_divide, arithmetic_modulo,
    arithmetic_negate;

#endif
