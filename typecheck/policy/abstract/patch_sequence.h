/*
 * patch_sequence: the operations of a mutation's JSON patch, applied to the object in their order.
 *
 * CEL makes a list of JSONPatch{...}. Only then are they applied, one after the
 * other (json_patch.h). So interpretation notes the structures that it reaches,
 * and what is known about their fields. When the expression is evaluated, its list
 * is walked as it is written, with sums, branches and macros. A list that is
 * written elsewhere, for example in a variable, is unknown.
 *
 * A patch whose `test` does not hold is not applied, and whether it holds depends
 * on the object. So after a `test` no operation fails for certain. A changed object
 * of a built-in kind is decoded strictly: an unknown field, or a value of another
 * type, is then an error, unless a later operation removed it.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_PATCH_SEQUENCE_H
#define TYPECHECK_POLICY_ABSTRACT_PATCH_SEQUENCE_H

#include "typecheck/policy/abstract/context.h"

/* Begins the present expression, with nothing noted. Everything lies in e->arena. */
void patch_sequence_begin(struct eval_context *e, const struct ast *ast);
/*
 * Notes a JSONPatch{...} that is part of the result, with the values of its fields. has_json: the API server
 * can convert its `value` to JSON.
 */
void patch_sequence_note(struct eval_context *e, const struct node *n, const struct absval *const *values,
                         bool has_json);
/* Notes the failures that the patch always has when it is applied to `object`, after the evaluation of the
 * expression. Returns the object as the patch leaves it, also where the patch fails; it is still to be
 * decoded (mutated.h). */
const struct absval *patch_sequence_end(struct eval_context *e, const struct ast *ast,
                                        const struct absval *result, const struct absval *object);

#endif
