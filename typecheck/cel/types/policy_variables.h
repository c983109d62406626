/*
 * policy_variables: the object type of `variables`, which grows as a policy's
 * variables are checked one after the other.
 *
 * k8s.io/apiserver/pkg/admission/plugin/cel/composition.go: a variable has
 * the type of its expression if that is a scalar, a list or a map; otherwise it is
 * dyn (an error, an object, an optional ...).
 */
#ifndef TYPECHECK_CEL_TYPES_POLICY_VARIABLES_H
#define TYPECHECK_CEL_TYPES_POLICY_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "typecheck/base/str.h"
#include "typecheck/cel/types/type.h"

struct variable_slot {
    struct str name;
    const struct type *type;
};

struct conversion;

struct policy_variables {
    struct variable_slot *slots; /* those declared so far, in order */
    size_t count;
    uint32_t *index;                /* by the name's hash: 1 + the slot of the last of that name; 0: free */
    size_t index_cap;               /* a power of two */
    struct conversion *conversions; /* from types of expressions to those of variables; open addressing */
    size_t conversion_count, conversion_cap;
};

/* An empty object type with room for `capacity` variables; *out and the type live in the table's arena. */
const struct type *policy_variables_type(struct types *ts, size_t capacity, struct policy_variables **out);

/* Declares a variable of unknown type. If several have the same name, the last one counts. */
void policy_variables_declare(struct policy_variables *v, struct types *ts, struct str name);

/* Sets the type of the variable that was declared last, from the type of its expression. */
void policy_variables_set_type(struct policy_variables *v, struct types *ts, const struct type *t);

/* The same, as its value is at run time: the type of the expression itself, where a server's type checker has
 * dyn. */
void policy_variables_set_value_type(struct policy_variables *v, const struct type *t);

#endif
