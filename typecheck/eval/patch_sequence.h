/*
 * patch_sequence: the operations of a mutation's JSON patch, in their order, and what they make of the
 * object.
 *
 * CEL makes a list of JSONPatch{...}; only then are they applied, one after the
 * other (json_patch.h). So interpretation notes the structures that it reaches,
 * and what is known of their fields; when the expression is evaluated, its list is
 * gone through as it is written: sums, branches and macros included. Of what is
 * written elsewhere, as in a variable, nothing is known.
 *
 * Whether a `test` holds depends on the object, and a patch whose test does not
 * hold is not applied: an operation behind one fails for no object for certain.
 * What a built-in kind's object has become is decoded strictly. An unknown field,
 * or a value of another type, is an error then, unless a later operation took it
 * away.
 */
#ifndef TYPECHECK_EVAL_PATCH_SEQUENCE_H
#define TYPECHECK_EVAL_PATCH_SEQUENCE_H

#include "typecheck/eval/context.h"

/* Of the expression at hand: nothing is noted yet. All lies in e->arena. */
void patch_sequence_begin(struct eval_context *e, const struct ast *ast);
/*
 * Evaluation reached a JSONPatch{...} that is part of the result, with these values of its fields. has_json:
 * the API server can make JSON of its `value`.
 */
void patch_sequence_note(struct eval_context *e, const struct node *n, const struct absval *const *values,
                         bool has_json);
/* The expression was evaluated: notes what always fails when the patch is applied to `object`. What the next
 * mutation of the policy finds, be it that this one failed. */
const struct absval *patch_sequence_end(struct eval_context *e, const struct ast *ast,
                                        const struct absval *result, const struct absval *object);

#endif
