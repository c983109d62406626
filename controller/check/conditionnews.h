/*
 * conditionnews: what is news in an object's conditions, compared with those that
 * its status has, or that were found before. Pure.
 *
 * News is what somebody who looks after the object wants to be told: warnings
 * appear, change or vanish; types or the kind of parameters cannot be found,
 * or can again. One that is fine at its first check is no news.
 *
 *     struct conditionnews found[CONDITIONNEWS_MAX];
 *     size_t count = conditionnews_find(policy, &conditions, found);
 */
#ifndef CONTROLLER_CHECK_CONDITIONNEWS_H
#define CONTROLLER_CHECK_CONDITIONNEWS_H

#include <stdbool.h>
#include <stddef.h>

#include "controller/check/conditions.h"
#include "controller/check/policyview.h"

enum { CONDITIONNEWS_MAX = CONDITIONS_MAX };

struct conditionnews {
    const char *type; /* of the condition; static */
    bool is_warning;
    const char *reason; /* CamelCase; static */
    const char *note;   /* the condition's message, borrowed from it */
};

/* conditions NULL: nothing is. Returns how many there are. */
size_t conditionnews_find(const struct policyview *observed, const struct conditions *conditions,
                          struct conditionnews out[CONDITIONNEWS_MAX]);

/* Since another check; before NULL: there was none. now NULL: nothing is news. */
size_t conditionnews_since(const struct conditions *before, const struct conditions *now,
                           struct conditionnews out[CONDITIONNEWS_MAX]);

#endif
