/*
 * celgo: what differs between the releases of cel-go, as feature flags.
 *
 * Every Kubernetes server is built with one release of cel-go, and what an
 * expression means depends on that, beside the compatibility level of
 * functions (env.h): vendors put newer ones into older servers. Each
 * difference has a name here.
 *
 *     env = env_new(level, celgo_in(server_minor));
 */
#ifndef TYPECHECK_TYPES_CELGO_H
#define TYPECHECK_TYPES_CELGO_H

#include <stdbool.h>

#include "typecheck/base/str.h"

/* The releases 0.N that are known. */
#define CELGO_OLDEST 17
#define CELGO_NEWEST 29

struct celgo {
    int release; /* N of 0.N */
    /* Calls of string.format() with literal arguments are checked. */
    bool validates_formats;
    /*
     * A comprehension's variable hides qualified names that begin with it,
     * and ".x" is never such a variable; before, "x.y" was a qualified name
     * if there is one, and ".x" the same as "x".
     */
    bool has_scopes;
    /* `name{...}` needs the name of a type; before, a variable of that name came first. */
    bool makes_types_only;
    /* A field's name may stand in backquotes: labels.`a/b`. */
    bool has_backquotes;
    /*
     * What optMap() and optFlatMap() need twice is copied. Before, it was one node in two places, and was
     * checked in each: the second time its type may be another one, which is an issue.
     */
    bool copies_targets;
    /* The type of optional values is called optional_type; before, optional. */
    bool has_optional_type;
    /* optional_type denotes optional values of any type; before, an opaque type without parameters. */
    bool has_typed_optionals;
    /* x.or(y) and x.orValue(y) fail where x is no optional; before, they were x itself. */
    bool or_needs_optional;
    /*
     * Estimates of costs know what a variable holds, how large the elements of
     * a literal are, and that dyn(x) is x; before, a comprehension of whatever
     * result was as large as what it goes over.
     */
    bool tracks_variables;
    /* url(x) is as large as x, and an equality of Kubernetes' own types has a price: Kubernetes 1.32, which
     * came with it. */
    bool prices_own_types;
    /* The name of a declared object type is that of the type, so that `name{...}` makes one; before, of such
     * an object: Kubernetes 1.32, which came with it. */
    bool names_declared_types;
    /* matches(text, regex) costs what text.matches(regex) does; before, 1. */
    bool prices_global_matches;
};

/* Release 0.`release`. */
struct celgo celgo_of(int release);

/* The release that Kubernetes 1.`minor` is built with; one that is not known yet has the newest known. */
struct celgo celgo_in(int minor);

/* Whether it has the overload of that id, in whatever level. */
bool celgo_has_overload(const struct celgo *celgo, struct str id);

#endif
