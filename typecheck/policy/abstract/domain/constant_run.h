/*
 * constant_run: evaluates calls whose operands are constants, with typecheck/cel/interpreter, exactly as the
 * API server does.
 *
 *     object.kind.findAll('[A-Z]')       // of a Deployment: ['D']
 *     quantity('1 Gi')                   // fails in every request
 *
 * Constants are nulls, bools, numbers, strings, bytes, lists of these, and values computed from them:
 * quantities, durations, timestamps, addresses, URLs, versions. The work is paid in the arena.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_CONSTANT_RUN_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_CONSTANT_RUN_H

#include <stddef.h>

#include "typecheck/cel/interpreter/values/equality.h"
#include "typecheck/policy/abstract/domain/transfer.h"

struct function;
struct value;

/* args: the receiver first; none is an error value. The result is in the arena; its value is NULL if it is
 * not known. */
struct transfer constant_run(struct arena *a, const struct function *function, bool is_receiver,
                             const struct absval *const *args, size_t count);

/* The operator ==: numbers compare across int, uint and double; other kinds are unequal. */
bool constant_run_equal(struct arena *a, const struct literal *one, const struct literal *two);
/* The operator == of two computed values; EQUALITY_NO_OVERLOAD: it fails. */
enum equality constant_run_equal_computed(struct arena *a, const struct value *one, const struct value *two);

#endif
