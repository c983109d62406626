/*
 * types_full: resource rules resolved as the API server matches them: wildcards
 * and subresources are expanded through discovery, with the operations that
 * each resource serves; what the policy excludes, and what the API server never
 * asks about, is left out.
 */
#ifndef CONTROLLER_CHECK_TYPES_FULL_H
#define CONTROLLER_CHECK_TYPES_FULL_H

#include "client/discovery/discovery.h"
#include "controller/check/policyview.h"
#include "controller/check/types_list.h"

/* At most options->max_types types; a pattern that matches nothing is a problem, with the nearest name. */
void types_full_resolve(const struct policyview_match *match, const struct discovery *discovery,
                        const struct types_options *options, struct types_list *list);

#endif
