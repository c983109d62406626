/*
 * types_full: resolves types as the API server matches requests. Wildcards and subresources are expanded
 * through discovery, with the operations that each resource serves. Resources that the policy excludes, and
 * requests that never reach policies, are left out. There are at most options->max_types types; a pattern
 * that matches nothing is a problem, with the nearest name.
 */
#ifndef CONTROLLER_MATCH_TYPES_FULL_H
#define CONTROLLER_MATCH_TYPES_FULL_H

#include "client/discovery/discovery.h"
#include "controller/match/matchrules.h"
#include "controller/match/types_list.h"

void types_full_resolve(const struct matchrules *match, const struct discovery *discovery,
                        const struct types_options *options, struct types_list *list);

/* This is true if all kinds of the version are known, also those that it does not have: it is built in. */
bool types_full_is_known(const struct discovery *discovery, const char *group, const char *version);

/* Returns true if the resource is a review of authentication or authorization: since 1.37 no webhook is
 * called for these. */
bool types_full_is_review(const char *group, const char *resource);

/* Returns true if no request for it ever reaches a policy, or a webhook. */
bool types_full_is_exempt(const char *group, const char *resource, const struct types_options *options);

/* The other group that serves the same objects under the same name; NULL if there is none. */
const char *types_full_other_group(const char *group, const char *resource);

#endif
