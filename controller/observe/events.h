/*
 * events: Kubernetes Events about policies and other objects without a
 * namespace (events.k8s.io/v1), as kubectl describe shows them.
 *
 * An event that cannot be sent is counted and dropped; nothing waits for it.
 * EVENTS_BURST events may be sent for a name at once, and one in
 * EVENTS_PERIOD_MS after that, whether or not its object was deleted and
 * created again. A few requests run at once; the others wait in a line of
 * limited length. They wait longer while there is more urgent work, such as
 * statuses that must be written. If the account has no right to create events, that is
 * logged once.
 *
 * For an object without a status of ours, only the API server's events remember
 * what was reported about it. So an event with a topic gets a name that is made
 * of its text. If it is sent again after a restart, the server answers that it
 * exists, as long as the server keeps events (usually an hour).
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
    EVENTS_COUNTED_MAX = 10 * 1000, /* objects with a count of their own; all others share one */
    EVENTS_NOTE_BYTES = 1024,       /* the API server refuses a longer one */
    EVENTS_UNDER_WAY_MAX = 2,
    EVENTS_LINE_MAX = 2000,
    EVENTS_HOLD_MS = 30 * 1000, /* how long an event waits for more urgent work */
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
    const char *action; /* the action that was done, or tried: CamelCase, too */
    const char *note;   /* cut at EVENTS_NOTE_BYTES */
    const char *topic;  /* the note's subject; topic and note make the event's name. NULL: the time does */
    bool is_known;      /* with a topic: an earlier process may have sent it; then it is not sent again.
                           Else one that is there already is older news, and this one is called by its time */
};

struct events_options {
    struct api *api;
    struct metrics *metrics;     /* of metricfamilies_new; NULL: nothing is counted */
    const char *instance;        /* the reporter: the pod's name; borrowed */
    bool (*is_busy)(void *user); /* something is more urgent; NULL: never */
    void *user;
};

struct events;

struct events *events_new(const struct events_options *options);
/* Cancels its requests. */
void events_free(struct events *events);

/* Never fails, never blocks; events NULL: nothing is sent. */
void events_send(struct events *events, const struct event *event);
/* Sends waiting events if possible. Must be called when more urgent work has ended, and now and then
 * before. */
void events_resume(struct events *events);

/* The pure part: writes an event's JSON. Its name is the name of its object, cut if necessary, and `number`.
 * unix_us is wall-clock time. */
void events_render(struct buf *out, const struct event *event, const char *instance, long long unix_us,
                   unsigned long long number);

#endif
