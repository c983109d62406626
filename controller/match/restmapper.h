/*
 * restmapper: finds the kinds that a resource's name may mean, as KindsFor of
 * client-go's RESTMapper over discovery. Scope upstream resolves rules with
 * it, as kube-controller-manager's type checker does.
 *
 * It matches more than the API server's own matching of rules: the name is made
 * lower-case first (so a served name with a capital is never found), singular
 * names and lists ("deploymentlists") match, an empty group or version means
 * any. (k8s.io/apimachinery/pkg/api/meta/restmapper.go,
 * k8s.io/client-go/restmapper/discovery.go)
 */
#ifndef CONTROLLER_MATCH_RESTMAPPER_H
#define CONTROLLER_MATCH_RESTMAPPER_H

#include <stdbool.h>
#include <stddef.h>

#include "client/discovery/discovery.h"

/*
 * Calls `visit` with each kind, in the mapper's order, until it returns
 * false. group and version are the discovery's; kind is borrowed for the call. Returns how many groups,
 * versions and resources it looked at.
 */
size_t restmapper_kinds_for(
    const struct discovery *discovery, const char *group, const char *version, const char *resource,
    bool (*visit)(void *user, const char *group, const char *version, const char *kind), void *user);

#endif
