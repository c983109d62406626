/*
 * bindings: which policies are named by a ValidatingAdmissionPolicyBinding.
 * Pure: it counts what the bindings' store reports.
 *
 *     bindings_change(b, now, before, on_flip, controller);     from the store
 *     if (bindings_has(b, "my-policy")) ...
 */
#ifndef CONTROLLER_RECONCILE_BINDINGS_H
#define CONTROLLER_RECONCILE_BINDINGS_H

#include <stdbool.h>

#include "client/cache/store.h"

struct bindings;

struct bindings *bindings_new(void);
void bindings_free(struct bindings *bindings);

/* Takes one change of the store. Calls on_flip for each policy that was bound and is not any more, or the
 * opposite. */
void bindings_change(struct bindings *bindings, const struct store_object *now,
                     const struct store_object *before, void (*on_flip)(void *user, const char *policy),
                     void *user);

/* Visits each binding that names the policy. */
void bindings_visit(const struct bindings *bindings, const char *policy,
                    void (*visit)(void *user, const char *binding), void *user);

/* Returns true if any binding names the policy. */
bool bindings_has(const struct bindings *bindings, const char *policy);

#endif
