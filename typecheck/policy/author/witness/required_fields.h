/*
 * required_fields: what an API server requires of an object of a built-in kind, or sets in it, because of
 * other fields of it (given_when.def, and the rows of default_rows.def that have conditions).
 *
 *     required_fields_complete(a, object, minor, choices);
 *     if (required_fields_are_there(a, object, minor)) ...     a server lets it reach a policy, as far as is
 * known
 */
#ifndef TYPECHECK_POLICY_AUTHOR_WITNESS_REQUIRED_FIELDS_H
#define TYPECHECK_POLICY_AUTHOR_WITNESS_REQUIRED_FIELDS_H

#include <stdbool.h>

#include "typecheck/policy/author/witness/choices.h"
#include "typecheck/policy/author/witness/sample.h"

/* Returns true if the object has each field that its other fields ask for. minor: of the server, 1.minor. */
bool required_fields_are_there(struct arena *a, struct sample *object, int minor);

/* Changes another field so that the missing one is not asked for, or adds it. */
void required_fields_complete(struct arena *a, struct sample *object, int minor, struct choices *choices);

#endif
