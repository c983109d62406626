/*
 * mutated: the object as the mutations of a policy leave it for those that follow.
 *
 * The API server applies the mutations one after the other. Each one, and each variable that it uses, finds
 * the object that the one before made; only the match conditions find the object of the request. A mutation
 * that fails leaves the object as it was. After each mutation an object of a built-in kind is decoded, which
 * leaves out empty fields, and gets defaults, which may bring back what was removed; no schema here has
 * those. A custom resource stays as the mutation made it, with undefined fields and values of any type.
 * k8s.io/apiserver: pkg/admission/plugin/policy/mutating/dispatcher.go, pkg/admission/plugin/cel/mutation.go.
 *
 * So this is the object of a later mutation, if the condition is !has(object.metadata.annotations):
 *
 *     Object{metadata: Object.metadata{labels: {'a': 'b'}}}            // it still has no annotations
 *     Object{metadata: Object.metadata{annotations: {'a': 'b'}}}       // it may have some
 *     [JSONPatch{op: 'add', path: '/spec/extra', value: 1}]            // a custom resource may have
 * spec.extra
 *
 * Objects and results lie in e->arena.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_MUTATED_H
#define TYPECHECK_POLICY_ABSTRACT_MUTATED_H

#include "typecheck/policy/abstract/context.h"

/* The object, less the fields of it that `known` says are absent. */
const struct absval *mutated_narrow(struct eval_context *e, const struct absval *object,
                                    const struct narrowing *known);

/* The object that an apply configuration, the result of the expression `root`, may make. It need not be
 * applied. */
const struct absval *mutated_apply(struct eval_context *e, const struct absval *object,
                                   const struct node *root);

/* A changed object as the next mutation finds it. `any`: all that an object of the kind can be. */
const struct absval *mutated_decode(struct eval_context *e, const struct absval *object,
                                    const struct absval *any);

#endif
