/*
 * dependents: which policies must be checked again when something of the
 * cluster changes. Pure: names in, names out.
 *
 * A policy depends on documents (by OpenAPI path, "apis/apps/v1") and on the API
 * groups that its rules and its paramKind name. The cluster need not serve them:
 * so a CRD that comes later finds the policy.
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

#include "controller/match/policyview.h"

struct dependents;

struct dependents *dependents_new(void);
void dependents_free(struct dependents *dependents);

/* Between begin and end all dependencies of the key are listed again; others are removed. */
void dependents_begin(struct dependents *dependents, const char *key);
void dependents_add_path(struct dependents *dependents, const char *path);
/* Adds the groups that the policy or its webhooks name. is_any_group: a change in any group may matter, as
 * for a wildcard, and for an answer that names kinds of other groups. */
void dependents_add_groups(struct dependents *dependents, const struct policyview *policy, bool is_any_group);
void dependents_end(struct dependents *dependents);

/* Removes a policy that was deleted. */
void dependents_remove(struct dependents *dependents, const char *key);

/* Returns true if any key depends on the document. */
bool dependents_have_path(const struct dependents *dependents, const char *path);

/* Visits each key that depends on it; visit must not change the index. */
void dependents_visit_path(struct dependents *dependents, const char *path,
                           void (*visit)(void *user, const char *key), void *user);
void dependents_visit_group(struct dependents *dependents, const char *group,
                            void (*visit)(void *user, const char *key), void *user);

#endif
