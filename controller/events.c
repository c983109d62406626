#include "controller/events.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <uv.h>

#include "client/log.h"
#include "client/mem.h"
#include "client/utf8.h"
#include "controller/keymap.h"
#include "controller/telemetry.h"
#include "controller/tokenbucket.h"

#define MANAGER "vapcheck-controller"

/* What the API server takes. */
enum { NAME_BYTES = 253, INSTANCE_BYTES = 128 };

/* An event in the line, or under way. */
struct item {
    struct events *events;
    struct item *next;
    char *policy;
    struct buf body;
    struct api_call *call; /* NULL: in the line */
};

struct events {
    struct events_options options;
    struct keymap buckets; /* policy -> struct tokenbucket */
    struct item *first, **last;
    size_t in_line;
    struct item *under_way[EVENTS_UNDER_WAY_MAX];
    bool is_refusal_logged;
    long long last_us; /* of the last event's time, which makes its name */
};

static void count(const struct events *e, const char *result)
{
    metrics_add(e->options.metrics, TELEMETRY_EVENTS, METRICS_LABELS(result), 1);
}

/* Rendering */

static void put_member(struct buf *out, const char *name, const char *value, size_t cap)
{
    buf_printf(out, ",\"%s\":", name);
    buf_put_json(out, value, utf8_cut(value, strlen(value), cap));
}

/* As client-go names them: the object's name, a dot, the time in nanoseconds, in base 16. */
static void put_name(struct buf *out, const char *policy, long long unix_us)
{
    char name[NAME_BYTES + 1], suffix[32];
    int len = snprintf(suffix, sizeof suffix, ".%llx", (unsigned long long)unix_us * 1000);
    snprintf(name, sizeof name, "%.*s%s", NAME_BYTES - len, policy, suffix);
    buf_put_json(out, name, strlen(name));
}

static void put_time(struct buf *out, long long unix_us)
{
    const time_t seconds = (time_t)(unix_us / 1000000);
    struct tm tm;
    char text[32];
    gmtime_r(&seconds, &tm);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm);
    buf_printf(out, "\"%s.%06dZ\"", text, (int)(unix_us % 1000000));
}

void events_render(struct buf *out, const struct event *event, const char *instance, long long unix_us)
{
    buf_puts(out, "{\"apiVersion\":\"events.k8s.io/v1\",\"kind\":\"Event\",\"metadata\":{\"name\":");
    put_name(out, event->policy, unix_us);
    buf_puts(out, ",\"namespace\":\"default\"},\"eventTime\":");
    put_time(out, unix_us);
    put_member(out, "type", event->is_warning ? "Warning" : "Normal", NAME_BYTES);
    put_member(out, "reason", event->reason, INSTANCE_BYTES);
    put_member(out, "action", event->action, INSTANCE_BYTES);
    put_member(out, "note", event->note, EVENTS_NOTE_BYTES);
    put_member(out, "reportingController", MANAGER, INSTANCE_BYTES);
    put_member(out, "reportingInstance", instance, INSTANCE_BYTES);
    buf_puts(out, ",\"regarding\":{\"apiVersion\":\"admissionregistration.k8s.io/v1\","
                  "\"kind\":\"ValidatingAdmissionPolicy\"");
    put_member(out, "name", event->policy, NAME_BYTES);
    put_member(out, "uid", event->uid, NAME_BYTES);
    buf_puts(out, "}}");
}

/* Sending */

static void free_item(struct item *item)
{
    buf_deinit(&item->body);
    mem_free(item->policy);
    mem_free(item);
}

static void send_next(struct events *e);

static void log_failure(struct events *e, const struct item *item, const struct err *err)
{
    bool is_refused = err->code == ERR_FORBIDDEN;
    if (is_refused && !e->is_refusal_logged)
        log_warn(item->policy, "may not create events, which is not said again: %s", err->msg);
    else
        log_debug(item->policy, "an event could not be sent: %s", err->msg);
    e->is_refusal_logged = e->is_refusal_logged || is_refused;
}

static void on_created(void *user, const struct err *err, const struct api_reply *reply)
{
    struct item *item = user;
    struct events *e = item->events;
    (void)reply;
    count(e, err == NULL ? "sent" : err->code == ERR_FORBIDDEN ? "forbidden" : "failed");
    if (err != NULL)
        log_failure(e, item, err);
    for (size_t i = 0; i < EVENTS_UNDER_WAY_MAX; i++) {
        if (e->under_way[i] == item)
            e->under_way[i] = NULL;
    }
    free_item(item);
    send_next(e);
}

static void send_next(struct events *e)
{
    for (size_t i = 0; i < EVENTS_UNDER_WAY_MAX && e->first != NULL; i++) {
        struct item *item = e->first;
        if (e->under_way[i] != NULL)
            continue;
        e->first = item->next;
        if (e->first == NULL)
            e->last = &e->first;
        e->in_line--;
        e->under_way[i] = item;
        item->call = api_create(e->options.api,
                                &(struct api_write){.path = EVENTS_PATH,
                                                    .body = item->body.data,
                                                    .len = item->body.len,
                                                    .field_manager = MANAGER},
                                on_created, item);
    }
}

static bool may_send(struct events *e, const char *policy)
{
    struct tokenbucket *bucket = keymap_get(&e->buckets, policy);
    if (bucket == NULL) {
        bucket = mem_zalloc(sizeof *bucket);
        keymap_put(&e->buckets, policy, bucket);
    }
    if (tokenbucket_take(bucket, EVENTS_BURST, EVENTS_PERIOD_MS, uv_now(api_loop(e->options.api))))
        return true;
    count(e, "limited");
    return false;
}

/* Wall-clock time, but no two events have the same. */
static long long next_us(struct events *e)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    long long us = (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000;
    e->last_us = us > e->last_us ? us : e->last_us + 1;
    return e->last_us;
}

void events_send(struct events *events, const struct event *event)
{
    if (events == NULL || !may_send(events, event->policy))
        return;
    if (events->in_line >= EVENTS_LINE_MAX) {
        count(events, "dropped");
        return;
    }
    struct item *item = mem_zalloc(sizeof *item);
    item->events = events;
    item->policy = mem_strdup(event->policy);
    buf_init(&item->body, EVENTS_BODY_CAP_BYTES);
    events_render(&item->body, event, events->options.instance, next_us(events));
    *events->last = item;
    events->last = &item->next;
    events->in_line++;
    send_next(events);
}

void events_forget(struct events *events, const char *policy)
{
    if (events != NULL)
        mem_free(keymap_remove(&events->buckets, policy));
}

/* The whole */

struct events *events_new(const struct events_options *options)
{
    static const char *const results[] = {"sent", "failed", "forbidden", "limited", "dropped"};
    struct events *e = mem_zalloc(sizeof *e);
    e->options = *options;
    e->last = &e->first;
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        metrics_add(e->options.metrics, TELEMETRY_EVENTS, METRICS_LABELS(results[i]), 0);
    return e;
}

void events_free(struct events *events)
{
    if (events == NULL)
        return;
    for (size_t i = 0; i < EVENTS_UNDER_WAY_MAX; i++) {
        if (events->under_way[i] == NULL)
            continue;
        api_cancel(events->under_way[i]->call);
        free_item(events->under_way[i]);
    }
    for (struct item *next, *item = events->first; item != NULL; item = next) {
        next = item->next;
        free_item(item);
    }
    keymap_deinit(&events->buckets, mem_free);
    mem_free(events);
}
