/*
 * patch: what a mutation makes, judged by the schema of what it is applied to.
 *
 * The API server compiles Object{...} with any field. When it applies the
 * result, a type's name must be the way of fields to it, the fields must be
 * in the schema and of its types, and what is atomic there cannot be set by
 * halves (k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch). Only
 * what ends up in the result is judged.
 */
#ifndef TYPECHECK_EVAL_PATCH_H
#define TYPECHECK_EVAL_PATCH_H

#include "typecheck/eval/context.h"
#include "typecheck/policy.h"
#include "typecheck/syntax/ast.h"

/*
 * By node id, for the structures that are part of the result: the name that the type there must have; empty:
 * any. at NULL: it is no part of the result. In the arena.
 */
const struct str *patch_names(struct arena *a, const struct ast *ast);

/* What the schema has under a key; false: nothing ever. */
bool patch_find_entry(struct eval_context *e, const struct type *t, struct str key, struct object_entry *out);

/* An apply configuration was evaluated: notes that none can be applied to that kind. */
void patch_judge_kind(struct eval_context *e, const struct node *root, const struct policy_type *kind);

/* A structure and what its fields' values are: notes what then always fails. True: the structure is an
 * operation of the result's JSON patch, which patch_sequence.h judges together with the other operations. */
bool patch_judge(struct eval_context *e, const struct node *n, const struct absval *const *values,
                 bool *has_json);

#endif
