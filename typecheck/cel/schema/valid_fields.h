/*
 * valid_fields: what the fields of built-in kinds can be in an object that the API server validated: strings
 * with only a few values or with a spelling, numbers with a least and a most.
 *
 *     if (valid_fields_has_root(group, version, kind)) ...
 *     const struct enumeration *e = valid_fields_enumeration(component, STR("dnsPolicy"));
 *     const struct type_words *words = valid_fields_words(a, e, 37);
 */
#ifndef TYPECHECK_CEL_SCHEMA_VALID_FIELDS_H
#define TYPECHECK_CEL_SCHEMA_VALID_FIELDS_H

#include <stdbool.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/types/spelling.h"

struct arena;
struct type_range;
struct type_words;

/* A row of valid_fields.def: ENUMERATION or BELOW. */
struct enumeration {
    struct str type, field, words;
    struct str holder; /* the Go type below which the field has no others of its words; empty: it has them
                          anywhere */
};

/* Returns true if validation of all objects of the kind is known. */
bool valid_fields_has_root(struct str group, struct str version, struct str kind);

/* Returns NULL if the field of the Go type, which is a component of an OpenAPI document, has no
 * enumeration. */
const struct enumeration *valid_fields_enumeration(struct str component, struct str field);

/* The same below a field of the component `holder`; NULL if the field has no enumeration of its own there. */
const struct enumeration *valid_fields_enumeration_below(struct str holder, struct str component,
                                                         struct str field);

/* Its values in Kubernetes 1.`minor` (0: the newest that is released), and those of other releases. They lie
 * in `a`. */
const struct type_words *valid_fields_words(struct arena *a, const struct enumeration *e, int minor);

/* Returns NULL if the field, or the items of the list, can be any number, and the list can have any size. */
const struct type_range *valid_fields_range(struct str component, struct str field);

/* The spelling of a string field, of the strings in a list, or of a map's values; `of_keys`: of a map's keys.
 */
enum spelling valid_fields_spelling(struct str component, struct str field, bool of_keys);

/* The rows that hold below a component. */
enum valid_fields_part {
    VALID_FIELDS_ALL,
    VALID_FIELDS_ENUMERATIONS, /* and no ranges and spellings */
    VALID_FIELDS_NONE,         /* but those of enumerations that are narrower there */
};

/* The part that holds in a component where it is in the component `holder`, in Kubernetes 1.`minor` (0: the
 * newest that is released). */
enum valid_fields_part valid_fields_part_of(struct str holder, struct str component, int minor);

#endif
