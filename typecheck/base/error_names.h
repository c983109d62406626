/*
 * error_names: the subject of an error, as data beside its text: the fields, paths and types that it names.
 *
 *     names = error_names_add(a, names, STR("replicas"));
 *     if (error_names_has(names, STR("replicas"))) ...
 */
#ifndef TYPECHECK_BASE_ERROR_NAMES_H
#define TYPECHECK_BASE_ERROR_NAMES_H

#include <stdbool.h>

#include "typecheck/base/str.h"

struct arena;

/* A list; NULL is the empty one. The texts are borrowed. */
struct error_names {
    struct str name;
    const struct error_names *others;
};

/* The list with one name more, in the arena. */
const struct error_names *error_names_add(struct arena *a, const struct error_names *names, struct str name);
bool error_names_has(const struct error_names *names, struct str name);

#endif
