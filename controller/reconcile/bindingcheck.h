/*
 * bindingcheck: checks whether the policy that a ValidatingAdmissionPolicyBinding names exists, and whether
 * its parameters fit the policy. The results are conditions. Pure.
 *
 * The API server reports neither: a binding without its policy has no effect, and with wrong parameters each
 * request fails.
 *
 *     struct conditions c;
 *     if (bindingcheck_init(&c, &(struct bindingcheck_input){.binding = json, .policies = store, ...}) == 0)
 *         conditions_deinit(&c);
 */
#ifndef CONTROLLER_RECONCILE_BINDINGCHECK_H
#define CONTROLLER_RECONCILE_BINDINGCHECK_H

#include <stdbool.h>

#include "client/cache/store.h"
#include "client/discovery/discovery.h"
#include "controller/findings/conditions.h"

struct json_object;

struct bindingcheck_input {
    struct json_object *binding;
    const struct store *policies;
    const struct discovery *discovery;
};

/* Makes PolicyFound, and ParamRefValid if the policy exists. The caller deinits them. */
void bindingcheck_init(struct conditions *out, const struct bindingcheck_input *input);

/* Returns how many conditions are not True. */
size_t bindingcheck_faults(const struct conditions *conditions);

#endif
