/*
 * given_when: the optional fields of Kubernetes' own kinds that a policy finds in an object, if other fields
 * say so.
 *
 *     for (size_t i = 0; i < given_when_count; i++)
 *         if (given_when_is_of(&given_when_rows[i], &name)) ...
 */
#ifndef TYPECHECK_CEL_SCHEMA_GIVEN_WHEN_H
#define TYPECHECK_CEL_SCHEMA_GIVEN_WHEN_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/cel/schema/component_name.h"

/* As given_when.def has it. */
struct given_when_row {
    const char *type, *field, *when;
};

extern const struct given_when_row given_when_rows[];
extern const size_t given_when_count;

/* Returns true if the row is about the type. */
bool given_when_is_of(const struct given_when_row *row, const struct component_name *name);

#endif
