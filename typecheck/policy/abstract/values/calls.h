/*
 * calls: the abstract result of a call or an operator, from the abstract values of its operands (transfer.h).
 *
 * Nothing here knows a syntax tree. interpret.c evaluates the operands, and
 * decides which operands of && || ?: are evaluated at all.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_VALUES_CALLS_H
#define TYPECHECK_POLICY_ABSTRACT_VALUES_CALLS_H

#include "typecheck/policy/abstract/values/transfer.h"

struct function;

struct call {
    struct arena *arena; /* for what the call makes */
    struct types *types;
    enum ast_operator op;
    struct str name;                 /* of the function or operator */
    const struct function *function; /* its declaration; NULL: it is not declared */
    const struct absval **args;      /* the receiver first; none is an error value */
    size_t count;
    bool is_receiver;  /* args[0] is one */
    bool compares_nan; /* features.def */
};

/* "A function is chosen by its name and the outermost types of its arguments." */
struct transfer calls_apply(const struct call *c);

/* ! of a bool. */
const struct absval *calls_not(struct arena *a, const struct absval *v);

/*
 * && and ||, of bools that may be error values: "the operands from left to
 * right until one is false (true); an error counts only if none is, on
 * whichever side" (interpretable.go, evalAnd and evalOr).
 */
const struct absval *calls_logic(struct arena *a, bool is_or, const struct absval *left,
                                 const struct absval *right);

/* Whether the loop of a macro goes on with this value, which may be an error value. */
const struct absval *calls_not_strictly_false(struct arena *a, const struct absval *v);

/*
 * The part of the target (args[0]) of `or` or `orValue` that is an optional, for versions in which only an
 * optional has these functions (celgo.h). Of args[1] only the type is used, in the issue.
 */
struct transfer calls_or_target(const struct call *c, struct hint hint);

/*
 * target.orValue(other), or target.or(other), which makes an optional. `other` is NULL if it is not
 * evaluated, because the target always has a value or is no optional.
 */
const struct absval *calls_or(struct arena *a, bool makes_optional, const struct absval *target,
                              const struct absval *other);

#endif
