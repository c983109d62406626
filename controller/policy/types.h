/*
 * types: from a policy's resource rules to the list of types to check.
 *
 * Pure: rules and discovery in, kinds out. Strings are borrowed from rules and
 * discovery, which must outlive the list.
 *
 *     struct types_list list;
 *     types_resolve(&policy->match, discovery, &options, &list);
 *     types_list_deinit(&list);
 */
#ifndef CONTROLLER_POLICY_TYPES_H
#define CONTROLLER_POLICY_TYPES_H

#include "client/discovery/discovery.h"
#include "controller/policy/policyview.h"
#include "controller/policy/types_list.h"

void types_resolve(const struct policyview_match *match, const struct discovery *discovery,
                   const struct types_options *options, struct types_list *out);

/* Whether it is a review of authentication or authorization, about which no webhook is asked since 1.37. */
bool types_full_is_review(const char *group, const char *resource);

/* Whether no policy, or no webhook, is ever asked about it. */
bool types_full_is_exempt(const char *group, const char *resource, const struct types_options *options);

/* The group that serves the same objects under the same name; NULL: no other does. */
const char *types_full_other_group(const char *group, const char *resource);

#endif
