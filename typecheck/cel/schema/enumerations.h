/*
 * enumerations: the fields of built-in kinds that have only a few values in an object that the API server
 * validated.
 *
 *     if (enumerations_has_root(group, version, kind)) ...
 *     const struct enumeration *e = enumerations_find(STR("io.k8s.api.core.v1.PodSpec"), STR("dnsPolicy"));
 *     const struct type_words *words = enumerations_words(a, e, 37);
 */
#ifndef TYPECHECK_CEL_SCHEMA_ENUMERATIONS_H
#define TYPECHECK_CEL_SCHEMA_ENUMERATIONS_H

#include <stdbool.h>

#include "typecheck/base/str.h"

struct arena;
struct type_words;

/* A row of enumerations.def. */
struct enumeration {
    struct str type, field, words;
    struct str holder; /* the Go type below which the field has no others of its words; empty: it has them
                          anywhere */
};

/* Returns true if validation of all objects of the kind is known. */
bool enumerations_has_root(struct str group, struct str version, struct str kind);

/* Returns NULL if the field of the Go type, which is a component of an OpenAPI document, has no
 * enumeration. */
const struct enumeration *enumerations_find(struct str component, struct str field);

/* The same below a field of the component `holder`; NULL if the field has no enumeration of its own there. */
const struct enumeration *enumerations_find_below(struct str holder, struct str component, struct str field);

/* Its values in Kubernetes 1.`minor` (0: the newest that is released), and those of other releases. They lie
 * in `a`. */
const struct type_words *enumerations_words(struct arena *a, const struct enumeration *e, int minor);

#endif
