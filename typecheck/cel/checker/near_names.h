/*
 * near_names: the names that cel-go suggests for a name that is not declared.
 *
 * Its messages contain them since the release that has suggests_names (features.def):
 * "undeclared reference to 'siez' (did you mean 'size'?)".
 */
#ifndef TYPECHECK_CEL_CHECKER_NEAR_NAMES_H
#define TYPECHECK_CEL_CHECKER_NEAR_NAMES_H

#include <stddef.h>

#include "typecheck/base/str.h"

struct arena;
struct env;
struct variable;

/* The names of an environment: of its variables, functions, macros and types. */
struct near_names {
    struct arena *arena; /* pays for the search, and holds the names */
    const struct env *env;
    const struct variable *variables;
    size_t variable_count;
    struct str *names; /* the declared names; NULL before they are collected */
    size_t count, cap;
};

enum { NEAR_NAMES_MAX = 2 };

/* The names that were found, the best first. */
struct near_names_found {
    struct str names[NEAR_NAMES_MAX];
    size_t count;
};

/*
 * Finds the name itself, or else those of the least edit distance, or else those that begin with it. A name
 * with a dot is only near to names with a dot.
 */
struct near_names_found near_names_find(struct near_names *n, struct str name);

/* The one that was found; empty if there are two or none, or it is the name itself. */
struct str near_names_only(const struct near_names_found *found, struct str name);

/* " (did you mean 'size'?)"; empty if nothing was found, or the name itself. */
struct str near_names_text(struct arena *a, const struct near_names_found *found, struct str name);

#endif
