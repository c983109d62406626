/*
 * cleared: fields that the schema of an object has, but that no object has when policies are evaluated.
 *
 * The API server cleans an object before it evaluates policies: a cluster-scoped object has
 * no metadata.namespace, the stringData of a Secret is in its data. The strategy
 * of a kind removes the status of what is created; it runs before validating
 * policies and validating webhooks, and after the mutating ones.
 * k8s.io/apiserver: pkg/registry/rest/create.go and meta.go, pkg/endpoints/handlers;
 * k8s.io/kubernetes: pkg/registry/.../strategy.go.
 */
#ifndef TYPECHECK_EVAL_CLEARED_H
#define TYPECHECK_EVAL_CLEARED_H

#include <stdbool.h>
#include <stddef.h>

#include "typecheck/absval/absmap.h"
#include "typecheck/policy.h"

struct node;

/* What decides about them. */
struct cleared_at {
    const struct policy_type *kind;
    bool is_custom;         /* the kind is a CustomResourceDefinition's */
    bool is_cluster_scoped; /* false: not known, too */
    bool is_created;        /* CREATE of the resource itself, behind the strategy */
    bool has_status;        /* the resource has the subresource */
    bool is_metadata_clear; /* the system metadata of whatever is created is cleared */
    bool is_mutated;        /* an earlier mutation may have set what only a conversion moves */
};

/* Whether the node, a selection or a literal, has the name of a field that only what is created lacks. */
bool cleared_is_named(const struct node *n);

#define CLEARED_FIELDS 3

/* Of the root: what `object`, a map as the kind's schema says, has in place of the schema's fields; how many.
 */
size_t cleared_fields(struct arena *a, struct types *ts, const struct cleared_at *at,
                      const struct absval *object, struct absfield fields[CLEARED_FIELDS]);

#endif
