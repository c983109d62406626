/*
 * mutation_types: the object types that only mutations have, Object and JSONPatch.
 *
 * `Object{...}` is a part of an object, `Object.spec{...}` a part of its field
 * spec, and so on, through lists and maps. For the API server's compiler they have
 * every field, and each is dyn (k8s.io/apiserver/pkg/cel/mutation).
 */
#ifndef TYPECHECK_CEL_TYPES_MUTATION_TYPES_H
#define TYPECHECK_CEL_TYPES_MUTATION_TYPES_H

#include <stdbool.h>

#include "typecheck/base/str.h"

struct type;
struct types;

/* Returns true if the name is "Object", "Object.spec", "Object.spec.template" and so on. */
bool mutation_types_is_object(struct str name);

/* The type with this name; NULL if it is neither of them. */
const struct type *mutation_types_type(struct types *ts, struct str name);

/* The result types of applyConfiguration and jsonPatch. */
const struct type *mutation_types_object(struct types *ts);
const struct type *mutation_types_patches(struct types *ts);

/* Returns true if the API server has no type for a kind, and applies no configuration to it. */
bool mutation_types_lack_kind(struct str group, struct str kind);

#endif
