/*
 * celgo: the differences between the releases of cel-go, as feature flags.
 *
 * Every Kubernetes server is built with one release of cel-go. The meaning of an
 * expression depends on it, and on the compatibility level of functions (env.h).
 * Both are needed, because vendors put newer releases into older servers. Each
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
     * optMap() and optFlatMap() copy the operand that they need twice. Before, it was one node in two places,
     * and was checked in each. The second time it may have another type, which is an issue.
     */
    bool copies_targets;
    /* The type of optional values is called optional_type; before, optional. */
    bool has_optional_type;
    /* optional_type denotes optional values of any type; before, an opaque type without parameters. */
    bool has_typed_optionals;
    /* x.or(y) and x.orValue(y) fail if x is no optional; before, the result was x itself. */
    bool or_needs_optional;
    /*
     * Estimates of costs know the size of a variable and of the elements of a
     * literal, and that dyn(x) is x. Before, the result of every comprehension was
     * as large as its range.
     */
    bool tracks_variables;
    /* url(x) is as large as x, and an equality of Kubernetes' own types has a price: Kubernetes 1.32, which
     * came with it. */
    bool prices_own_types;
    /* The name of a declared object type denotes the type, so that `name{...}` makes a value; before, it
     * denoted such an object. Kubernetes 1.32, which came with it. */
    bool names_declared_types;
    /* matches(text, regex) costs as much as text.matches(regex); before, 1. */
    bool prices_global_matches;
    /* startsWith() and endsWith() cost as much as what they look for; before, as much as the text. */
    bool prices_affixes;
    /* The first value of a comprehension's accumulator is evaluated where it is used first; before, at the
     * beginning, and its cost counted where it is not used, too. */
    bool starts_lazily;
    /* indexOf() and lastIndexOf() find nothing at an index behind the text; before, that was an error. */
    bool allows_large_indices;
    /* lastIndexOf() without an index finds nothing in an empty text; before, that was an error. */
    bool searches_empty_texts;
    /* containsCIDR(), which is the API server's own and not cel-go's, finds a range wherever it is in the
     * other; before, only at the beginning. */
    bool contains_ranges;
    /* indexOf() and lastIndexOf() find an empty text at the end at most, and no index may be negative;
     * before, they found it at any index. */
    bool bounds_indices;
    /* flatten() with a negative level, which fails, costs as much as with 1; before, its cost was negative.
     */
    bool bounds_levels;
    /* lists.range() fails for a negative size, and for one above a million; before, it had no limit, and the
     * list of a negative size was empty. */
    bool bounds_ranges;
    /* Reading an optional value from a variable, or from `c ? x : y`, does not change it; before, cel-go took
     * out the innermost value of Go and wrapped it again, which it cannot do with Kubernetes' own types. */
    bool keeps_optionals;
};

/* The flags of release 0.`release`. */
struct celgo celgo_of(int release);

/* The flags of the release in Kubernetes 1.`minor`; for an unknown minor those of the newest. */
struct celgo celgo_in(int minor);

/* Whether it has the overload with that id, in any level. */
bool celgo_has_overload(const struct celgo *celgo, struct str id);

#endif
