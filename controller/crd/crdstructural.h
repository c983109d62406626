/*
 * crdstructural: a CustomResourceDefinition's schema as JSON, read to what
 * its rules depend on. Pure.
 *
 * The nodes point into the JSON, which must outlive them.
 *
 *     if (setjmp(arena.escape) == 0)
 *         root = crdstructural_read(&arena, schema, (struct crdstructural_options){.is_root = true});
 */
#ifndef CONTROLLER_CRD_CRDSTRUCTURAL_H
#define CONTROLLER_CRD_CRDSTRUCTURAL_H

#include <json-c/json.h>
#include <stdbool.h>

#include "typecheck/base/arena.h"
#include "typecheck/schema/structural.h"

struct crdstructural_options {
    bool is_root;
    bool bounds_names; /* a resource's name has at most as many characters as Kubernetes allows */
};

/* The Kubernetes 1.N that bounds names. */
enum { CRDSTRUCTURAL_NAMES_SINCE = 37 };

/* NULL for what is no object. The arena's escape must be armed. */
struct structural *crdstructural_read(struct arena *arena, struct json_object *schema,
                                      struct crdstructural_options options);

#endif
