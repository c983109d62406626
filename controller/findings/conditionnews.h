/*
 * conditionnews: which conditions of an object are worth an Event: those that
 * differ from what its status has, or from what was found before. Pure.
 *
 * News are: warnings appear, change or vanish; types or the kind of parameters
 * are not found, or are found again. A good condition at the first check is no
 * news.
 *
 *     struct conditionnews found[CONDITIONNEWS_MAX];
 *     size_t count = conditionnews_find(policy, &conditions, found);
 */
#ifndef CONTROLLER_FINDINGS_CONDITIONNEWS_H
#define CONTROLLER_FINDINGS_CONDITIONNEWS_H

#include <stdbool.h>
#include <stddef.h>

#include "controller/findings/conditions.h"
#include "controller/match/policyview.h"

enum { CONDITIONNEWS_MAX = CONDITIONS_MAX };

struct conditionnews {
    const char *type; /* of the condition; static */
    bool is_warning;
    const char *reason; /* CamelCase; static */
    const char *note;   /* the condition's message, borrowed from it */
    const struct condition *condition;
};

/* Compares with the status. conditions NULL: there is no news. Returns how many news there are. */
size_t conditionnews_find(const struct policyview *observed, const struct conditions *conditions,
                          struct conditionnews out[CONDITIONNEWS_MAX]);

/* Compares with an earlier check; before NULL: there was none. now NULL: there is no news. */
size_t conditionnews_since(const struct conditions *before, const struct conditions *now,
                           struct conditionnews out[CONDITIONNEWS_MAX]);

#endif
