/*
 * patch_parent: finds JSON patches whose path leads through a field that may be missing: then the patch
 * cannot be applied, and the request fails.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_ADVICE_PATCH_PARENT_H
#define TYPECHECK_POLICY_AUTHOR_ADVICE_PATCH_PARENT_H

#include "typecheck/policy/author/advice/advice_types.h"

/* Looks at one node of the expression of a mutation. A policy that asks for the field somewhere gets no such
 * advice about it. */
void patch_parent_look_at(struct advice_look *look, const struct node *n);

#endif
