/*
 * settled: function calls whose result depends on their arguments and the release of cel-go alone, and is the
 * same on every server with it. settled.c lists what else some depend on.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_SETTLED_H
#define TYPECHECK_CEL_INTERPRETER_SETTLED_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/cel/interpreter/values/value.h"

struct function;

/*
 * Calls a function that is not an operator of logic, equality, "in" or index; the receiver is the first
 * argument. Returns a value or an error value. Returns NULL if no overload takes the arguments, the function
 * is not evaluated, or the call is not settled. The arena pays for the work.
 */
const struct value *settled_call(struct arena *a, const struct function *function, bool is_receiver,
                                 const struct value *const *args, size_t count);

#endif
