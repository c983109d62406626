/*
 * narrowing: facts that follow from a condition in the expressions that it guards.
 *
 * In "x != null || x.y" the right operand is evaluated only if x is null; in
 * "has(x.y) || x.y" only if x has no y. A narrowing is about a path that
 * means the same when it is written again: a.b.c, a["b"]. Evaluation also goes
 * on after a condition that fails (|| and && do). The path then fails again when
 * it is written again. So with a narrowing more fails, never less. Behind "x == 'a' &&" x is
 * 'a', and behind "x &&" it is true: that is known of all that has the same value when it is written again,
 * as calls of functions do. Narrowings lie in an arena, the newest first.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_NARROWING_H
#define TYPECHECK_POLICY_ABSTRACT_NARROWING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/syntax/ast.h"

struct absval;
struct arena;

/* A variable of a comprehension; it hides outer names that are equal. */
struct binding {
    const struct binding *outer;
    struct str name;
    const struct absval *value;
};

enum narrowing_kind {
    NARROWING_NULL,     /* the path is null */
    NARROWING_ABSENT,   /* the path (a has()) is false */
    NARROWING_COMPARED, /* the path, or call, is `is` the literal */
};

struct narrowing {
    const struct narrowing *next;
    enum narrowing_kind kind;
    const struct node *path;
    enum ast_operator is;         /* this and the next: of NARROWING_COMPARED; ==, != or an order, or `in` */
    bool is_denied;               /* it is not `in` the list */
    const struct node *literal;   /* an int, a string or a bool with == and !=, a list of strings with `in` */
    size_t compared;              /* how many of those are in the list from here on */
    const struct binding *locals; /* where the path stands */
    uint32_t hash;                /* of the path's last part */
};

/* Returns true if `n` means the same when it is written again. */
bool narrowing_is_path(const struct node *n);

/* Returns true if both nodes, for which `locals` are declared, are one expression that is written twice. Long
 * ones and those with macros are not compared. */
bool narrowing_are_same(struct arena *a, const struct node *one, const struct node *two,
                        const struct binding *locals);

/* Returns NULL if there is none. */
const struct binding *narrowing_find_local(struct arena *a, const struct binding *locals, struct str name);

/* `known`, and what follows if `condition` has the value `truth`. doubted: by node id, what says nothing;
 * NULL: all nodes say what they say. */
const struct narrowing *narrowing_assume(struct arena *a, const struct narrowing *known,
                                         const struct binding *locals, const struct node *condition,
                                         bool truth, const bool *doubted);

/* Returns true if that is known about `path`, for which `locals` are declared. */
bool narrowing_has(struct arena *a, const struct narrowing *known, enum narrowing_kind kind,
                   const struct node *path, const struct binding *locals);

/* The first comparison from `known` on that is about `n`; NULL if there is none. */
const struct narrowing *narrowing_compared(struct arena *a, const struct narrowing *known,
                                           const struct node *n, const struct binding *locals);

/* The first comparison from `known` on that is about a call whose target is `n`; NULL if there is none. */
const struct narrowing *narrowing_of_target(struct arena *a, const struct narrowing *known,
                                            const struct node *n, const struct binding *locals);

/* The identifier that the path begins with; empty: it is not a path. */
struct str narrowing_root(const struct narrowing *narrowing);

#endif
