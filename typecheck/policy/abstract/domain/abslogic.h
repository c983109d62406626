/*
 * abslogic: ! && and || of abstract bools, which may be error values.
 *
 *     const struct absval *both = abslogic_and_or(a, false, left, right);
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_ABSLOGIC_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_ABSLOGIC_H

#include "typecheck/policy/abstract/domain/absval.h"

/* ! of a bool. */
const struct absval *abslogic_not(struct arena *a, const struct absval *v);

/*
 * && and ||, of bools that may be error values: "the operands from left to
 * right until one is false (true); an error counts only if none is, on
 * whichever side" (interpretable.go, evalAnd and evalOr).
 */
const struct absval *abslogic_and_or(struct arena *a, bool is_or, const struct absval *left,
                                     const struct absval *right);

/* The loop of a macro goes on where this is true; the value may be an error value. */
const struct absval *abslogic_not_strictly_false(struct arena *a, const struct absval *v);

#endif
