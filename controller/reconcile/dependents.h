/*
 * dependents: which policies must be checked again when something of the
 * cluster changes. Pure: names in, names out.
 *
 * A policy depends on documents (by OpenAPI path, "apis/apps/v1") and on API
 * groups (what its rules and its paramKind name, whether the cluster serves
 * it or not, so that a CRD that comes later finds the policy).
 *
 *     dependents_begin(d, key);
 *     dependents_add_path(d, "apis/apps/v1");
 *     dependents_add_groups(d, policy, false);
 *     dependents_end(d);
 *     dependents_visit_group(d, "apps", requeue, queue);
 */
#ifndef CONTROLLER_RECONCILE_DEPENDENTS_H
#define CONTROLLER_RECONCILE_DEPENDENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "controller/policy/policyview.h"

struct dependents;

struct dependents *dependents_new(void);
void dependents_free(struct dependents *dependents);

/* Between begin and end the key's dependencies are listed again; those not listed are gone. */
void dependents_begin(struct dependents *dependents, const char *key);
void dependents_add_path(struct dependents *dependents, const char *path);
/* The groups that the policy, or its webhooks, name. is_any_group: whatever changes in any group may concern
 * it, as for a wildcard (and if the answer names what other groups have). */
void dependents_add_groups(struct dependents *dependents, const struct policyview *policy, bool is_any_group);
void dependents_end(struct dependents *dependents);

/* The policy is gone. */
void dependents_remove(struct dependents *dependents, const char *key);

/* Whether any key depends on the document. */
bool dependents_have_path(const struct dependents *dependents, const char *path);

/* Each dependent key; visit must not change the index. */
void dependents_visit_path(struct dependents *dependents, const char *path,
                           void (*visit)(void *user, const char *key), void *user);
void dependents_visit_group(struct dependents *dependents, const char *group,
                            void (*visit)(void *user, const char *key), void *user);

#endif
