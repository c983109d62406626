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

/* Whether all kinds of the version are known, also those that it does not have: it is built in. */
bool types_is_known(const struct discovery *discovery, const char *group, const char *version);

/* Whether it is a review of authentication or authorization: since 1.37 no webhook is called for these. */
bool types_full_is_review(const char *group, const char *resource);

/* Whether no request for it ever reaches a policy, or a webhook. */
bool types_full_is_exempt(const char *group, const char *resource, const struct types_options *options);

/* The other group that serves the same objects under the same name; NULL: there is none. */
const char *types_full_other_group(const char *group, const char *resource);

#endif
