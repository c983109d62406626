/*
 * configurations: merges an apply configuration, the value of a mutation, into an object.
 *
 * k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch/smd.go, with the types of a kind's schema:
 * lists are merged by the keys of their items, or are sets; atomic fields must not be set. An error names
 * all that is wrong. The API server takes the fields of an object in random order and stops at one that is
 * not declared; here the fields keep their order, and the undeclared ones come last.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_VALUES_CONFIGURATIONS_H
#define TYPECHECK_CEL_INTERPRETER_VALUES_CONFIGURATIONS_H

#include "typecheck/cel/interpreter/values/json_patches.h"

struct schema;
struct schema_node;

/* root: of the object's kind, in its document. */
struct patched configurations_merge(struct arena *a, const struct value *configuration,
                                    const struct value *object, const struct schema *doc,
                                    const struct schema_node *root);

#endif
