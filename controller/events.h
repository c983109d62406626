/*
 * events: Kubernetes Events about policies (events.k8s.io/v1), as kubectl
 * describe shows them.
 *
 * Telling is a courtesy: an event that cannot be sent is counted and dropped,
 * and nobody waits for it. A policy may have EVENTS_BURST at once, and one in
 * EVENTS_PERIOD_MS after that; a few requests are under way at once, and the
 * line behind them has an end. An account without the right to create events
 * is told so once in the log.
 *
 *     struct events *e = events_new(&(struct events_options){.api = api, ...});
 *     events_send(e, &(struct event){.policy = "p", .uid = uid, .reason = "WarningsFound", .note = text});
 *     events_free(e);
 */
#ifndef CONTROLLER_EVENTS_H
#define CONTROLLER_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "client/api.h"
#include "client/buf.h"
#include "controller/metrics.h"

#define EVENTS_PATH "/apis/events.k8s.io/v1/namespaces/default/events"

enum {
    EVENTS_BURST = 25,
    EVENTS_PERIOD_MS = 5 * 60 * 1000,
    EVENTS_NOTE_BYTES = 1024, /* the API server takes no longer one */
    EVENTS_UNDER_WAY_MAX = 2,
    EVENTS_LINE_MAX = 500,
    EVENTS_BODY_CAP_BYTES = 16 * 1024,
};

/* All borrowed for the call. */
struct event {
    const char *policy, *uid;
    bool is_warning;    /* else it is Normal */
    const char *reason; /* CamelCase */
    const char *action; /* what was done, or tried: CamelCase, too */
    const char *note;   /* cut at EVENTS_NOTE_BYTES */
};

struct events_options {
    struct api *api;
    struct metrics *metrics; /* telemetry's; NULL: nothing is counted */
    const char *instance;    /* who reports: the pod's name; borrowed */
};

struct events;

struct events *events_new(const struct events_options *options);
/* Drops what is under way. */
void events_free(struct events *events);

/* Never fails, never blocks; events NULL: nothing is sent. */
void events_send(struct events *events, const struct event *event);
/* The policy is gone: its count is forgotten. */
void events_forget(struct events *events, const char *policy);

/* The pure part: an event's JSON; unix_us is wall-clock time. */
void events_render(struct buf *out, const struct event *event, const char *instance, long long unix_us);

#endif
