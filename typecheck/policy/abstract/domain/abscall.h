/*
 * abscall: one call or operator over abstract operands, and the ways in which its result is made.
 *
 * Each family of functions (compare_call.h, in_call.h, optional_call.h, string_call.h, and the rest in
 * calls.h) says of its operands what it knows, and ends with one of these functions.
 *
 *     if ((c->args[0]->kinds & ABS_LIST) == 0)
 *         return abscall_no_overload(c);
 *     return abscall_result(c, &absval_bool, true);
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_ABSCALL_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_ABSCALL_H

#include "typecheck/policy/abstract/domain/transfer.h"

struct function;

struct abscall {
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

/* The function takes no operands of these types. */
struct failure abscall_mismatch(const struct abscall *c, struct hint hint);
/* The same, of a call that compares one with two, with the hint for this comparison. */
struct failure abscall_mismatch_of(const struct abscall *c, const struct absval *one,
                                   const struct absval *two);
/* The call always fails: no overload of the function takes its operands. */
struct transfer abscall_no_overload(const struct abscall *c);

/* The call passes with v. A result of operands that do not depend on the input does not either: where it is
 * not computed it is type-determined. */
struct transfer abscall_result(const struct abscall *c, const struct absval *v, bool may_fail);

/* The call compares one with two, which are never equal; t: its result. */
struct transfer abscall_unequal(const struct abscall *c, const struct absval *one, const struct absval *two,
                                struct transfer t);

/*
 * The result is of the type that the declaration says. "No such overload": an overload is chosen by the
 * outermost types of its arguments (decls.go, matchesRuntimeSignature); elements do not matter.
 */
struct transfer abscall_overloads(const struct abscall *c);

/* A call of constants is a constant, if typecheck/cel/interpreter computes it; else as the declaration
 * says. */
struct transfer abscall_constants(const struct abscall *c);

#endif
