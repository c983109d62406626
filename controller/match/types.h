/*
 * types: resolves a policy's resource rules to the list of types to check. Pure.
 *
 * Strings are borrowed from the rules and the discovery, which must outlive the list.
 *
 *     struct types_list list;
 *     types_resolve(&policy->match, discovery, &options, &list);
 *     types_list_deinit(&list);
 */
#ifndef CONTROLLER_MATCH_TYPES_H
#define CONTROLLER_MATCH_TYPES_H

#include "client/discovery/discovery.h"
#include "controller/match/policyview.h"
#include "controller/match/types_list.h"

void types_resolve(const struct matchrules *match, const struct discovery *discovery,
                   const struct types_options *options, struct types_list *out);

#endif
