/*
 * cleared: fields that are in the schema of an object, but in no object when policies are evaluated.
 *
 * The API server cleans an object before it evaluates policies: a cluster-scoped object has
 * no metadata.namespace, the stringData of a Secret is in its data. The strategy
 * of a kind removes the status of what is created; it runs before validating
 * policies and validating webhooks, and after the mutating ones.
 * k8s.io/apiserver: pkg/registry/rest/create.go and meta.go, pkg/endpoints/handlers;
 * k8s.io/kubernetes: pkg/registry/.../strategy.go.
 */
#ifndef TYPECHECK_POLICY_ABSTRACT_CLEARED_H
#define TYPECHECK_POLICY_ABSTRACT_CLEARED_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/policy/abstract/domain/absmap.h"
#include "typecheck/policy/compile/policy.h"

struct node;

/* The facts that decide which fields these are. */
struct cleared_at {
    const struct policy_type *kind;
    bool is_custom;         /* the kind is a CustomResourceDefinition's */
    bool is_cluster_scoped; /* as far as that is known */
    bool is_created;        /* CREATE of the resource itself, after the strategy ran */
    bool has_status;        /* the resource has the subresource */
    bool is_metadata_clear; /* at CREATE of any object the system metadata is cleared */
    bool is_mutated;        /* an earlier mutation of the policy may have set what only the next decoding of a
                               request moves */
};

/* Returns true if the node, a selection or a literal, names a field that is absent only in created
 * objects. */
bool cleared_is_named(const struct node *n);

#define CLEARED_FIELDS 3

/* Finds the fields of the root of `object` that differ from those in the kind's schema; returns how many. */
size_t cleared_fields(struct arena *a, struct types *ts, const struct cleared_at *at,
                      const struct absval *object, struct absfield fields[CLEARED_FIELDS]);

#endif
