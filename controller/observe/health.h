/*
 * health: a list of named checks, and the answer to a probe in the format of
 * Kubernetes' own components. Pure.
 *
 *     struct health h = {0};
 *     health_add(&h, "stores", false, is_synced, "policies were not listed yet");
 *     status = health_render(&h, HEALTH_READY, &query, &text);
 */
#ifndef CONTROLLER_OBSERVE_HEALTH_H
#define CONTROLLER_OBSERVE_HEALTH_H

#include <stdbool.h>
#include <stddef.h>

#include "client/base/buf.h"

enum {
    HEALTH_ITEMS_MAX = 10,
    HEALTH_WHY_BYTES = 256,
    HEALTH_TEXT_BYTES = HEALTH_ITEMS_MAX * 5 * HEALTH_WHY_BYTES, /* a byte is shown as "\x1b" at most */
};

/* HEALTHZ is the older name of LIVE. */
enum health_probe { HEALTH_HEALTHZ, HEALTH_LIVE, HEALTH_READY };

struct health_item {
    const char *name; /* static */
    bool is_for_live; /* it counts for liveness, not only for readiness */
    bool is_ok;
    char why[HEALTH_WHY_BYTES]; /* why it is not ok; "" if it is */
};

struct health {
    struct health_item items[HEALTH_ITEMS_MAX];
    size_t count;
};

struct health_query {
    const char *name; /* only one check: /readyz/NAME; "" for all */
    bool is_verbose;
    /* Says which parts do not count; NULL if all do. */
    bool (*is_excluded)(const void *user, const char *name);
    const void *user;
};

/* Adds a check; one for liveness also counts for readiness. why is a format, used if the check is not ok. */
void health_add(struct health *health, const char *name, bool is_for_live, bool is_ok, const char *why, ...)
    __attribute__((format(printf, 5, 6)));

/* Returns the HTTP status: 200, 500, or 404 if no check has the name. */
int health_render(const struct health *health, enum health_probe probe, const struct health_query *query,
                  struct buf *out);

#endif
