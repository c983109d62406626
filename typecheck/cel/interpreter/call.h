/*
 * call: finds the C function of a call by its arguments, and calls it.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_CALL_H
#define TYPECHECK_CEL_INTERPRETER_CALL_H

#include <stdbool.h>

#include "typecheck/cel/interpreter/values/function.h"

struct function;
struct overload;
struct step;

/* Fills step->call. `only` is the one overload that the checker found; NULL: there are several. False if
 * there is no implementation. */
bool call_choose(struct arena *a, const struct function *function, const struct overload *only,
                 struct step *step);

/* Returns how many of the function's overloads are evaluated, by a call or by a step of its own. */
size_t call_count_evaluated(const struct function *function);

/* Returns true if the overload is for arguments of these types. */
bool call_takes(const struct overload *o, const struct value *const *args, size_t count);

/* Calls the function. Arguments must not be errors, unless the call is not strict. The result, or an error
 * value. */
const struct value *call_apply(const struct step *step, const struct invocation *c);

#endif
