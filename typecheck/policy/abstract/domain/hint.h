/*
 * hint: finds the change that the author of a failing expression probably meant.
 *
 * A finding carries the data for a hint. The change is made only for findings that
 * are reported, and only if one thing was probably meant: one field of that name one
 * level down, one similar name, one function that makes the type.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_DOMAIN_HINT_H
#define TYPECHECK_POLICY_ABSTRACT_DOMAIN_HINT_H

#include <stdbool.h>

#include "typecheck/base/hint_change.h"
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
    struct str value;    /* the constant that was meant instead of `field`; at NULL: no hint of this sort */
    const char *wrapper; /* "timestamp": the value is a string at run time, and this function converts it;
                            NULL: none */
};

#define HINT_NONE ((struct hint){.map = NULL})

/* The function that makes a value like `wanted` from a string; NULL if there is none. */
const char *hint_wrapper(const struct absval *wanted, const struct absval *given);
/* The same for the type that one of the function's overloads takes. */
const char *hint_wrapper_for(const struct function *f, const struct absval *const *args, size_t count);

/* The change that was probably meant; HINT_NOTHING: it is not known. It lies in the arena of `ts`.
 * *is_of_pods: the hint is for kinds that make pods, and wrong for pods, which a policy may match, too. */
struct hint_change hint_change_find(struct types *ts, const struct hint *h, bool *is_of_pods);

/* Returns true if something was meant that has the same name, or stands in the same place. */
bool hint_change_is_near(const struct hint_change *change);

/* "did you mean 'spec.replicas'?", "did you mean '.?replicas'?"; empty: nothing. In the arena. */
struct str hint_text(struct arena *a, const struct hint_change *change);

#endif
