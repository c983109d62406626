/*
 * constant_run: calls whose operands are constants, evaluated by typecheck/run exactly as the API server
 * does.
 *
 *     object.kind.findAll('[A-Z]')       // of a Deployment: ['D']
 *     quantity('1 Gi')                   // fails in every request
 *
 * Constants are nulls, bools, numbers, strings, bytes, lists of these, and what is computed of such:
 * quantities, durations, timestamps, addresses, URLs, versions. The work is paid in the arena.
 */
#ifndef TYPECHECK_ABSVAL_CONSTANT_RUN_H
#define TYPECHECK_ABSVAL_CONSTANT_RUN_H

#include <stddef.h>

#include "typecheck/absval/transfer.h"
#include "typecheck/values/equality.h"

struct function;
struct value;

/* The receiver first; none is an error value. A value of NULL: not known. In the arena. */
struct transfer constant_run(struct arena *a, const struct function *function, bool is_receiver,
                             const struct absval *const *args, size_t count);

/* ==: numbers compare across int, uint and double; other kinds are different. */
bool constant_run_equal(struct arena *a, const struct literal *one, const struct literal *two);
/* Of two that were computed; EQUALITY_NO_OVERLOAD: == fails. */
enum equality constant_run_equal_computed(struct arena *a, const struct value *one, const struct value *two);

#endif
