/*
 * mutation_types: the object types that only mutations have, Object and JSONPatch.
 *
 * `Object{...}` is part of an object, `Object.spec{...}` of what is under its
 * field spec, and so on, through lists and maps. To the API server's compiler
 * they have every field, and each is dyn (k8s.io/apiserver/pkg/cel/mutation).
 */
#ifndef TYPECHECK_TYPES_MUTATION_TYPES_H
#define TYPECHECK_TYPES_MUTATION_TYPES_H

#include <stdbool.h>

#include "typecheck/base/str.h"

struct type;
struct types;

/* "Object", "Object.spec", "Object.spec.template" ... */
bool mutation_types_is_object(struct str name);

/* The type called so; NULL: neither of them is. */
const struct type *mutation_types_type(struct types *ts, struct str name);

/* What applyConfiguration and jsonPatch evaluate to. */
const struct type *mutation_types_object(struct types *ts);
const struct type *mutation_types_patches(struct types *ts);

/* Whether the API server has no type for a kind, and applies no configuration to it. */
bool mutation_types_lack_kind(struct str group, struct str kind);

#endif
