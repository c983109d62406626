/*
 * types_upstream: resource rules resolved as kube-controller-manager does:
 * client-go's RESTMapper over discovery, no wildcards, no subresources, and at
 * most ten types of a rule (k8s.io/apiserver, typechecking.go, typesToCheck).
 */
#ifndef CONTROLLER_CHECK_TYPES_UPSTREAM_H
#define CONTROLLER_CHECK_TYPES_UPSTREAM_H

#include "client/discovery/discovery.h"
#include "controller/check/policyview.h"
#include "controller/check/types_list.h"

void types_upstream_resolve(const struct policyview_rule *rules, size_t n_rules,
                            const struct discovery *discovery, struct types_list *list);

#endif
