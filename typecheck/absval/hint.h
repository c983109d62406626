/*
 * hint: what the author of a failing expression probably meant.
 *
 * A finding carries what a hint is made of; the text is made only for what
 * is reported, and only where it is certain: one field of that name one level
 * down, one name that is near, one function that makes the type.
 */
#ifndef TYPECHECK_ABSVAL_HINT_H
#define TYPECHECK_ABSVAL_HINT_H

#include <stdbool.h>

#include "typecheck/base/str.h"

struct absmap;
struct absval;
struct arena;
struct function;
struct types;

struct hint {
    const struct absmap *map; /* that has no `field`; NULL: no hint of this sort */
    struct str field;
    struct str optional; /* a field whose plain selection is no optional; empty: no hint of this sort */
    const char *wrapper; /* "timestamp": a string at run time, which that makes one of; NULL */
};

#define HINT_NONE ((struct hint){.map = NULL})

/* What makes a value as `wanted` is of a string; NULL: nothing that we know. */
const char *hint_wrapper(const struct absval *wanted, const struct absval *given);
/* The same of what one of the function's overloads wants. */
const char *hint_wrapper_for(const struct function *f, const struct absval *const *args, size_t count);

/* "did you mean 'spec.replicas'?", "did you mean '.?replicas'?"; empty: nothing is certain. In the arena of
 * `ts`. *is_of_pods: for kinds that make pods, and wrong for pods, which a policy may match as well. */
struct str hint_text(struct types *ts, const struct hint *h, bool *is_of_pods);

#endif
