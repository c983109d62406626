/*
 * transition: what is news in a policy's conditions, compared with those that
 * its status has. Pure.
 *
 * News is what somebody who looks after the policy wants to be told: warnings
 * appear, change or vanish; types or the kind of parameters cannot be found,
 * or can again. A policy that is fine at its first check is no news.
 *
 *     struct transition found[TRANSITION_MAX];
 *     size_t count = transition_find(policy, &conditions, found);
 */
#ifndef CONTROLLER_TRANSITION_H
#define CONTROLLER_TRANSITION_H

#include <stdbool.h>
#include <stddef.h>

#include "controller/conditions.h"
#include "controller/policy.h"

enum { TRANSITION_MAX = CONDITIONS_MAX };

struct transition {
    bool is_warning;
    const char *reason; /* CamelCase; static */
    const char *note;   /* the condition's message, borrowed from it */
};

/* conditions NULL: nothing is. Returns how many there are. */
size_t transition_find(const struct policy *observed, const struct conditions *conditions,
                       struct transition out[TRANSITION_MAX]);

#endif
