/*
 * narrowing: what a condition says about the expressions that it guards.
 *
 * Behind "x != null ||" x is null; behind "has(x.y) ||" x has no y. A fact is
 * about a path that means the same when it is written again: a.b.c, a["b"].
 * Where a condition is also passed by an error (|| and && go on past one),
 * what the fact is about fails again when it is written again: a fact lets
 * more fail, never less. Facts lie in an arena, newest first.
 */
#ifndef TYPECHECK_EVAL_NARROWING_H
#define TYPECHECK_EVAL_NARROWING_H

#include <stdbool.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/syntax/ast.h"

struct absval;
struct arena;

/* A variable of a comprehension; it hides what is further out. */
struct binding {
    const struct binding *outer;
    struct str name;
    const struct absval *value;
};

enum narrowing_kind {
    NARROWING_NULL,   /* the path is null */
    NARROWING_ABSENT, /* the path (a has()) is false */
};

struct narrowing {
    const struct narrowing *next;
    enum narrowing_kind kind;
    const struct node *path;
    const struct binding *locals; /* where the path stands */
    uint32_t hash;                /* of the path's last part */
};

/* Whether `n` means the same when it is written again. */
bool narrowing_is_path(const struct node *n);

/* NULL: there is none. */
const struct binding *narrowing_find_local(struct arena *a, const struct binding *locals, struct str name);

/* `facts` and what `condition` being `truth` says. */
const struct narrowing *narrowing_assume(struct arena *a, const struct narrowing *facts,
                                         const struct binding *locals, const struct node *condition,
                                         bool truth);

/* Whether that is known of `path`, which stands where `locals` are. */
bool narrowing_has(struct arena *a, const struct narrowing *facts, enum narrowing_kind kind,
                   const struct node *path, const struct binding *locals);

/* The identifier that a fact's path begins with. */
struct str narrowing_root(const struct narrowing *fact);

#endif
