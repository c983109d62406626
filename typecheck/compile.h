/*
 * compile: a policy, and what the API server says of its expressions when it is created; the same of
 * configuration files and of devices; a cache of expressions. A public header.
 */
#ifndef TYPECHECK_COMPILE_H
#define TYPECHECK_COMPILE_H

#include "typecheck/cel/checker/expression_cache.h"
#include "typecheck/policy/compile/compile_problem.h"
#include "typecheck/policy/compile/config_check.h"
#include "typecheck/policy/compile/create_check.h"
#include "typecheck/policy/compile/device_check.h"

#endif
