/*
 * memories: what the checks of policies of `*` share, and what each of them keeps for its next check.
 *
 * When a definition changes, all policies of `*` are checked again. Their types are found once for all of
 * them (typesets.h), and each policy is checked on the types alone that have changed (typecheck_kept). The
 * memory for this has a bound; a policy for which there is no room is checked on all types.
 *
 *     struct memories *m = memories_new(cluster);
 *     options.shared = memories_types(m);                      // valid as long as the cluster is held
 *     check = check_new(policy, discovery, &options);
 *     memories_use(m, key, policy, check);
 */
#ifndef CONTROLLER_RECONCILE_MEMORIES_H
#define CONTROLLER_RECONCILE_MEMORIES_H

#include "controller/findings/check.h"
#include "controller/match/typesets.h"
#include "controller/reconcile/cluster.h"

struct memories;

/* cluster: borrowed. */
struct memories *memories_new(struct cluster *cluster);
/* Before the cluster is freed. */
void memories_free(struct memories *memories);

/* The types of rules, for the present discovery and documents. */
struct typesets *memories_types(struct memories *memories);

/* Gives the check, of the policy that has the key now, what an earlier one kept. */
void memories_use(struct memories *memories, const char *key, const struct policyview *policy,
                  struct check *check);
void memories_forget(struct memories *memories, const char *key);

#endif
