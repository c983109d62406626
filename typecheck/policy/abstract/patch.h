/*
 * patch: checks the result of a mutation by the schema of the object to which it is
 * applied.
 *
 * The API server compiles Object{...} with any field. When it applies the
 * result, the name of a type must be the path of fields to it, the fields must be
 * in the schema and have its types, and an atomic field cannot be set in part
 * (k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch). Only structures
 * that are part of the result are checked.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_PATCH_H
#define TYPECHECK_POLICY_ABSTRACT_PATCH_H

#include "typecheck/cel/syntax/ast.h"
#include "typecheck/policy/abstract/context.h"
#include "typecheck/policy/compile/policy.h"

/*
 * Names by node id, for the structures that are part of the result: the name that the type there must have;
 * empty: any. `at` is NULL: the node is not a part of the result. The list lies in the arena.
 */
const struct str *patch_names(struct arena *a, const struct ast *ast);

/* Sets *out to the entry of the schema under a key; returns false if it has none. */
bool patch_find_entry(struct eval_context *e, const struct type *t, struct str key, struct object_entry *out);

/* Notes a failure of an evaluated apply configuration if none can be applied to the kind. */
void patch_judge_kind(struct eval_context *e, const struct node *root);

/* Notes the failures that a structure with these values of its fields always has when it is applied. Returns
 * true if the structure is an operation of the result's JSON patch, which patch_sequence.h checks together
 * with the others. */
bool patch_judge(struct eval_context *e, const struct node *n, const struct absval *const *values,
                 bool *has_json);

#endif
