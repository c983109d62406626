/*
 * compile: a policy; the places that carry CEL, and what the API server says of the expressions there; a
 * cache of expressions. A public header.
 */
#ifndef TYPECHECK_COMPILE_H
#define TYPECHECK_COMPILE_H

#include "typecheck/cel/checker/expression_cache.h"
#include "typecheck/policy/compile/cel_place.h"
#include "typecheck/policy/compile/compile_problem.h"
#include "typecheck/policy/compile/compiler.h"
#include "typecheck/policy/compile/create_check.h"

#endif
