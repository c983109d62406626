/*
 * calls: the abstract result of a call or an operator, from the abstract values of its operands (transfer.h).
 *
 * Nothing here knows a syntax tree. interpret.c evaluates the operands, and
 * decides which operands of && || ?: are evaluated at all.
 */
#ifndef TYPECHECK_ABSVAL_CALLS_H
#define TYPECHECK_ABSVAL_CALLS_H

#include "typecheck/absval/transfer.h"

struct function;

struct call {
    struct arena *arena; /* for what the call makes */
    struct types *types;
    enum ast_operator op;
    struct str name;                 /* of the function, also of an operator's */
    const struct function *function; /* as it is declared; NULL: it is not */
    const struct absval **args;      /* the receiver first; none is an error value */
    size_t count;
    bool is_receiver; /* args[0] is one */
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

/* What the loop of a macro asks of a value, which may be an error value: whether it goes on. */
const struct absval *calls_not_strictly_false(struct arena *a, const struct absval *v);

/*
 * The target of `or` or `orValue`, args[0], where only an optional has them (celgo.h): what of it is one. Of
 * args[1] only its type is shown, in the issue.
 */
struct transfer calls_or_target(const struct call *c, struct hint hint);

/*
 * target.orValue(other), or target.or(other), which makes an optional. `other` is NULL where it is not
 * evaluated: where the target always has a value or is no optional.
 */
const struct absval *calls_or(struct arena *a, bool makes_optional, const struct absval *target,
                              const struct absval *other);

#endif
