/*
 * optional_field: advice about a field that an object may lack, and that is read without has() or `.?`.
 *
 * The schema says whether a field is optional. A field that the API server fills in is not. If any expression
 * of the policy asks for the field, its author knows that it may be missing: then there is no advice.
 */
#ifndef TYPECHECK_POLICY_AUTHOR_ADVICE_OPTIONAL_FIELD_H
#define TYPECHECK_POLICY_AUTHOR_ADVICE_OPTIONAL_FIELD_H

#include "typecheck/cel/checker/checked.h"
#include "typecheck/policy/author/advice/advice_list.h"

/* Looks at an expression. */
void optional_field_look(struct advice *advice, size_t type, size_t expression, const struct checked *checked,
                         struct types *types, const struct type *object);

/* Sets the hints of all items. */
void optional_field_correct(struct advice *advice);

#endif
