/*
 * advice_types: the types of the nodes that advice looks at, also of what the checker takes for dyn:
 * variables of macros over such values, and variables of the policy.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_ADVICE_ADVICE_TYPES_H
#define TYPECHECK_POLICY_AUTHOR_ADVICE_ADVICE_TYPES_H

#include "typecheck/cel/checker/checked.h"
#include "typecheck/cel/types/type.h"
#include "typecheck/policy/author/advice/advice_list.h"
#include "typecheck/policy/author/advice/atoms.h"

/* A variable of a macro. */
struct advice_scope {
    const struct advice_scope *outer;
    struct str name;
    const struct type *type;
    const struct node *range; /* over which it goes */
};

/* An expression, looked at for one type. All is borrowed. */
struct advice_look {
    struct advice *advice;
    struct arena *arena;
    size_t type, expression;
    const struct checked *checked;
    struct types *types;
    const struct type *object; /* of the request; NULL: it is not known */
    struct extents extents;
    struct atoms_count count; /* the innermost macro around what is looked at */
};

/* scope: the variables around the node, or NULL. */
const struct type *advice_types_of(struct advice_look *l, const struct advice_scope *scope,
                                   const struct node *n);
/* The same; of `x.?a.orValue(1)` the type of x.a. */
const struct type *advice_types_of_operand(struct advice_look *l, const struct advice_scope *scope,
                                           const struct node *n);
/* The type of a list's items, or of a map's values; dyn: it is neither. */
const struct type *advice_types_element(const struct type *container);
/* Returns true if a value of the type may lack the field, when a policy sees it. */
bool advice_types_may_miss(const struct type *t, struct str field, struct types *types);

#endif
