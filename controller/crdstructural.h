/*
 * crdstructural: a CustomResourceDefinition's schema as JSON, read to what
 * its rules depend on. Pure.
 *
 * The nodes point into the JSON, which must outlive them.
 *
 *     if (setjmp(arena.escape) == 0)
 *         root = crdstructural_read(&arena, schema, true);
 */
#ifndef CONTROLLER_CRDSTRUCTURAL_H
#define CONTROLLER_CRDSTRUCTURAL_H

#include <json-c/json.h>
#include <stdbool.h>

#include "typecheck/arena.h"
#include "typecheck/structural.h"

/* NULL for what is no object. The arena's escape must be armed. */
struct structural *crdstructural_read(struct arena *arena, struct json_object *schema, bool is_root);

#endif
