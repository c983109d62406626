/*
 * facts: what a condition says about the expressions that it guards.
 *
 * Behind "x != null ||" x is null; behind "has(x.y) ||" x has no y. A fact is
 * about a path that means the same when it is written again: a.b.c, a["b"].
 * Where a condition is also passed by an error (|| and && go on past one),
 * what the fact is about fails again when it is written again: a fact lets
 * more fail, never less. Facts lie in an arena, newest first.
 */
#ifndef TYPECHECK_EVAL_FACTS_H
#define TYPECHECK_EVAL_FACTS_H

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

enum fact_kind {
    FACT_NULL,   /* the path is null */
    FACT_ABSENT, /* the path (a has()) is false */
};

struct fact {
    const struct fact *next;
    enum fact_kind kind;
    const struct node *path;
    const struct binding *locals; /* where the path stands */
    uint32_t hash;                /* of the path's last part */
};

/* Whether `n` means the same when it is written again. */
bool facts_is_path(const struct node *n);

/* NULL: there is none. */
const struct binding *facts_find_local(struct arena *a, const struct binding *locals, struct str name);

/* `facts` and what `condition` being `truth` says. */
const struct fact *facts_assume(struct arena *a, const struct fact *facts, const struct binding *locals,
                                const struct node *condition, bool truth);

/* Whether that is known of `path`, which stands where `locals` are. */
bool facts_has(struct arena *a, const struct fact *facts, enum fact_kind kind, const struct node *path,
               const struct binding *locals);

/* The identifier that a fact's path begins with. */
struct str facts_root(const struct fact *fact);

#endif
