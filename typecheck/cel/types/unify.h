/*
 * unify: unification of types: whether one is assignable to another, and what
 * the type parameters in both are bound to then.
 *
 * cel-go's checker/types.go with its mapping as an array of bindings by slot.
 * cel-go copies the mapping before each trial. Here a trail of overwritten bindings
 * undoes a failed trial.
 *
 *     struct unify u;
 *     unify_init(&u, ts, celgo);
 *     if (unify_assign(&u, expected, actual))
 *         t = unify_substitute(&u, expected, false);
 */
#ifndef TYPECHECK_CEL_TYPES_UNIFY_H
#define TYPECHECK_CEL_TYPES_UNIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/cel/types/type.h"

struct celgo;
struct overload;
struct unify_binding;
struct unify_change;

struct unify {
    struct types *ts;
    const struct celgo *celgo;
    struct unify_binding *bindings; /* by slot */
    uint32_t binding_cap;
    struct unify_change *trail;
    size_t trail_count, trail_cap;
    uint32_t next_unknown;
    unsigned depth; /* of the walk in progress */
};

/* Everything it makes lies in the arena of `ts`. Borrows `celgo`, whose rules it follows. */
void unify_init(struct unify *u, struct types *ts, const struct celgo *celgo);

/* A new unknown type. */
const struct type *unify_fresh(struct unify *u);

/* Returns true if `actual` is assignable to `expected`. (cel-go tries both orders, and so must we.) */
bool unify_assign(struct unify *u, const struct type *expected, const struct type *actual);

/*
 * Returns true if `args` are accepted by `overload` with its type parameters taken as fresh unknowns; if so,
 * its result in *result.
 */
bool unify_overload(struct unify *u, const struct type *const *args, size_t count,
                    const struct overload *overload, const struct type **result);

/* `t` with its bound parameters replaced; unbound ones become dyn if unbound_to_dyn. */
const struct type *unify_substitute(struct unify *u, const struct type *t, bool unbound_to_dyn);

/* The more general of two types that unify. */
const struct type *unify_most_general(struct unify *u, const struct type *a, const struct type *b);

#endif
