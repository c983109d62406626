/*
 * events: Kubernetes Events about policies and other objects without a
 * namespace (events.k8s.io/v1), as kubectl describe shows them.
 *
 * Telling is a courtesy: an event that cannot be sent is counted and dropped,
 * and nobody waits for it. A name may have EVENTS_BURST at once, and one in
 * EVENTS_PERIOD_MS after that, whether or not its object was deleted and created again; a few requests are
 * under way at once, and the line behind them has an end. While there is more urgent work, as statuses that
 * wait to be written, the line stands for a while. Where the account has no right
 * to create events, the log says so once.
 *
 * Nothing but the API server remembers what was told of an object that has no
 * status of ours. An event with a topic is called after what it says: to tell
 * it once more, after a restart, finds it there, for as long as the server
 * keeps events (an hour, mostly).
 *
 *     struct events *e = events_new(&(struct events_options){.api = api, ...});
 *     events_send(e, &(struct event){.about = {...}, .reason = "WarningsFound", .note = text, ...});
 *     events_free(e);
 */
#ifndef CONTROLLER_OBSERVE_EVENTS_H
#define CONTROLLER_OBSERVE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "client/base/buf.h"
#include "client/rest/api.h"
#include "controller/observe/metrics.h"

#define EVENTS_PATH "/apis/events.k8s.io/v1/namespaces/default/events"

enum {
    EVENTS_BURST = 25,
    EVENTS_PERIOD_MS = 5 * 60 * 1000,
    EVENTS_COUNTED_MAX = 10 * 1000, /* objects whose Events are counted apart; all others share one count */
    EVENTS_NOTE_BYTES = 1024,       /* the API server takes no longer one */
    EVENTS_UNDER_WAY_MAX = 2,
    EVENTS_LINE_MAX = 2000,
    EVENTS_HOLD_MS = 30 * 1000, /* how long an event waits for what is more urgent */
    EVENTS_BODY_CAP_BYTES = 16 * 1024,
};

struct event_object {
    const char *api_version, *kind, *name, *uid;
};

/* All borrowed for the call. */
struct event {
    struct event_object about;
    bool is_warning;    /* else it is Normal */
    const char *reason; /* CamelCase */
    const char *action; /* what was done, or tried: CamelCase, too */
    const char *note;   /* cut at EVENTS_NOTE_BYTES */
    const char *topic;  /* what the note is about, by which and by the note it is called; NULL: by its time */
    bool is_known;      /* with a topic: it may have been told by who was here before, and is not told again.
                           Else one that is there already is older news, and this one is called by its time */
};

struct events_options {
    struct api *api;
    struct metrics *metrics;     /* telemetry's; NULL: nothing is counted */
    const char *instance;        /* who reports: the pod's name; borrowed */
    bool (*is_busy)(void *user); /* something is more urgent; NULL: never */
    void *user;
};

struct events;

struct events *events_new(const struct events_options *options);
/* Drops what is under way. */
void events_free(struct events *events);

/* Never fails, never blocks; events NULL: nothing is sent. */
void events_send(struct events *events, const struct event *event);
/* The line moves if it may: to be called when what was more urgent is done, or still is not. */
void events_resume(struct events *events);

/* The pure part: an event's JSON, called by `number` (of its object's name it has what fits before);
 * unix_us is wall-clock time. */
void events_render(struct buf *out, const struct event *event, const char *instance, long long unix_us,
                   unsigned long long number);

#endif
