/*
 * health: a list of named checks, and its answer as Kubernetes' own probes
 * word it. Pure.
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

/* HEALTHZ is what LIVE is, under its older name. */
enum health_probe { HEALTH_HEALTHZ, HEALTH_LIVE, HEALTH_READY };

struct health_item {
    const char *name; /* static */
    bool is_for_live; /* else it concerns readiness alone */
    bool is_ok;
    char why[HEALTH_WHY_BYTES]; /* it is not */
};

struct health {
    struct health_item items[HEALTH_ITEMS_MAX];
    size_t count;
};

struct health_query {
    const char *name; /* one check alone: /readyz/NAME; "" for all */
    bool is_verbose;
    bool (*is_excluded)(const void *user, const char *name); /* NULL: none is */
    const void *user;
};

/* What concerns liveness concerns readiness, too. why is a format, for what is not ok. */
void health_add(struct health *health, const char *name, bool is_for_live, bool is_ok, const char *why, ...)
    __attribute__((format(printf, 5, 6)));

/* The HTTP status: 200, 500, or 404 for a name that is none. */
int health_render(const struct health *health, enum health_probe probe, const struct health_query *query,
                  struct buf *out);

#endif
