/*
 * types_upstream: resolves types as kube-controller-manager does, with client-go's RESTMapper over discovery:
 * no wildcards, no subresources, and at most ten types for each rule (k8s.io/apiserver, typechecking.go,
 * typesToCheck).
 */
#ifndef CONTROLLER_MATCH_TYPES_UPSTREAM_H
#define CONTROLLER_MATCH_TYPES_UPSTREAM_H

#include "client/discovery/discovery.h"
#include "controller/match/matchrules.h"
#include "controller/match/types_list.h"

void types_upstream_resolve(const struct matchrules_rule *rules, size_t n_rules,
                            const struct discovery *discovery, struct types_list *list);

#endif
