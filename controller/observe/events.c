#include "controller/observe/events.h"

#include <stdio.h>
#include <string.h>
#include <sys/queue.h>
#include <time.h>
#include <uv.h>

#include "bytes/utf8.h"
#include "client/base/keymap.h"
#include "client/base/log.h"
#include "client/base/mem.h"
#include "client/base/plain.h"
#include "client/base/rfc3339.h"
#include "client/base/tokenbucket.h"
#include "controller/observe/metricfamilies.h"

#define MANAGER "vapcheck-controller"

/* The lengths that the API server takes. */
enum { NAME_BYTES = 253, INSTANCE_BYTES = 128 };

/* An event in the line, or under way. */
struct item {
    struct events *events;
    TAILQ_ENTRY(item) link;
    uint64_t since_ms; /* in the line */
    char *name;        /* of the object */
    struct buf body;
    struct buf again;      /* the same under another name, where that one is taken; empty: it was sent then */
    struct api_call *call; /* the call that sends it; NULL while it waits in the queue */
};

struct events {
    struct events_options options;
    struct keymap buckets;     /* KIND/NAME -> struct tokenbucket */
    struct tokenbucket shared; /* the bucket of objects that have no place there */
    uint64_t swept_ms;         /* when full buckets were dropped */
    TAILQ_HEAD(items, item) line;
    size_t in_line;
    struct item *under_way[EVENTS_UNDER_WAY_MAX];
    bool is_refusal_logged;
    long long last_us; /* the last event's time, which makes its name */
};

static uint64_t now_ms(const struct events *e)
{
    return uv_now(api_loop(e->options.api));
}

static void count(const struct events *e, const char *result)
{
    metrics_add(e->options.metrics, METRICFAMILIES_EVENTS, METRICS_LABELS(result), 1);
}

/* Rendering */

static void put_member(struct buf *out, const char *name, const char *value, size_t cap)
{
    buf_printf(out, ",\"%s\":", name);
    buf_put_json(out, value, utf8_cut(value, strlen(value), cap));
}

/* People who describe the object see the note on a terminal. */
static void put_note(struct buf *out, const char *note)
{
    cleanup_mem char *shown = plain_text(note);
    put_member(out, "note", shown, EVENTS_NOTE_BYTES);
}

/* The object's name, a dot, a number in base 16: kubectl sorts events without the older timestamps by name.
 * A name ends in a letter or digit before a dot, wherever it is cut. */
static void put_name(struct buf *out, const char *object, unsigned long long number)
{
    char name[NAME_BYTES + 1], suffix[32];
    int len = snprintf(suffix, sizeof suffix, ".%016llx", number);
    int keep = (int)strnlen(object, (size_t)(NAME_BYTES - len));
    while (keep > 0 && strchr(".-", object[keep - 1]) != NULL)
        keep--;
    snprintf(name, sizeof name, "%.*s%s", keep, object, suffix);
    buf_put_json(out, name, strlen(name));
}

/* The number that client-go uses: the time in nanoseconds. */
static unsigned long long number_of_time(long long unix_us)
{
    return (unsigned long long)unix_us * 1000;
}

/* FNV-1a, with the text's end. */
static uint64_t hash(uint64_t h, const char *text)
{
    for (size_t i = 0; i <= strlen(text); i++)
        h = (h ^ (unsigned char)text[i]) * 1099511628211u;
    return h;
}

/* Less than any time since 2006: first what is wrong, then what became of it. */
static unsigned long long number_of_words(const struct event *event)
{
    uint64_t h = hash(14695981039346656037u, event->about.kind);
    h = hash(h, event->about.uid);
    h = hash(h, event->topic);
    h = hash(h, event->is_warning ? "Warning" : "Normal");
    return hash(h, event->note) >> 4;
}

void events_render(struct buf *out, const struct event *event, const char *instance, long long unix_us,
                   unsigned long long number)
{
    const struct event_object *about = &event->about;
    buf_puts(out, "{\"apiVersion\":\"events.k8s.io/v1\",\"kind\":\"Event\",\"metadata\":{\"name\":");
    put_name(out, about->name, number);
    buf_puts(out, ",\"namespace\":\"default\"},\"eventTime\":");
    char time[RFC3339_BYTES];
    rfc3339_format(time, unix_us, RFC3339_MICROSECONDS);
    buf_printf(out, "\"%s\"", time);
    put_member(out, "type", event->is_warning ? "Warning" : "Normal", NAME_BYTES);
    put_member(out, "reason", event->reason, INSTANCE_BYTES);
    put_member(out, "action", event->action, INSTANCE_BYTES);
    put_note(out, event->note);
    put_member(out, "reportingController", MANAGER, INSTANCE_BYTES);
    put_member(out, "reportingInstance", instance, INSTANCE_BYTES);
    buf_puts(out, ",\"regarding\":{\"apiVersion\":");
    buf_put_json(out, about->api_version, strlen(about->api_version));
    put_member(out, "kind", about->kind, NAME_BYTES);
    put_member(out, "name", about->name, NAME_BYTES);
    put_member(out, "uid", about->uid, NAME_BYTES);
    buf_puts(out, "}}");
}

/* Sending */

static void free_item(struct item *item)
{
    buf_deinit(&item->body);
    buf_deinit(&item->again);
    mem_free(item->name);
    mem_free(item);
}

static void send_next(struct events *e);

static void log_failure(struct events *e, const struct item *item, const struct err *err)
{
    bool is_refused = err->code == ERR_FORBIDDEN;
    if (is_refused && !e->is_refusal_logged)
        log_warn(item->name, "may not create events (this is logged once): %s", err->msg);
    else
        log_debug(item->name, "an event could not be sent: %s", err->msg);
    e->is_refusal_logged = e->is_refusal_logged || is_refused;
}

static const char *result_of(const struct err *err)
{
    if (err == NULL)
        return "sent";
    return err->code == ERR_FORBIDDEN ? "forbidden" : err->code == ERR_CONFLICT ? "known" : "failed";
}

static void on_created(void *user, const struct err *err, const struct api_reply *reply);

static void post(struct item *item)
{
    item->call = api_create(
        item->events->options.api,
        &(struct api_write){
            .path = EVENTS_PATH, .body = item->body.data, .len = item->body.len, .field_manager = MANAGER},
        on_created, item);
}

static void on_created(void *user, const struct err *err, const struct api_reply *reply)
{
    struct item *item = user;
    struct events *e = item->events;
    bool is_taken = err != NULL && err->code == ERR_CONFLICT;
    (void)reply;
    if (is_taken && item->again.len > 0) {
        buf_deinit(&item->body);
        item->body = item->again;
        buf_init(&item->again, EVENTS_BODY_CAP_BYTES);
        post(item);
        return;
    }
    count(e, result_of(err));
    if (err != NULL && !is_taken)
        log_failure(e, item, err);
    for (size_t i = 0; i < EVENTS_UNDER_WAY_MAX; i++) {
        if (e->under_way[i] == item)
            e->under_way[i] = NULL;
    }
    free_item(item);
    send_next(e);
}

static bool is_held(const struct events *e)
{
    return e->options.is_busy != NULL && e->options.is_busy(e->options.user) &&
           now_ms(e) - TAILQ_FIRST(&e->line)->since_ms < EVENTS_HOLD_MS;
}

static void send_next(struct events *e)
{
    for (size_t i = 0; i < EVENTS_UNDER_WAY_MAX && !TAILQ_EMPTY(&e->line) && !is_held(e); i++) {
        struct item *item = TAILQ_FIRST(&e->line);
        if (e->under_way[i] != NULL)
            continue;
        TAILQ_REMOVE(&e->line, item, link);
        e->in_line--;
        e->under_way[i] = item;
        post(item);
    }
}

/* Keys of buckets that are full again: as good as none. */
struct full_buckets {
    uint64_t now_ms;
    const char **keys;
    size_t count;
};

static void collect_full(void *user, const char *key, void *value)
{
    struct full_buckets *full = user;
    if (tokenbucket_is_full(value, EVENTS_PERIOD_MS, full->now_ms))
        full->keys[full->count++] = key;
}

static void drop_full_buckets(struct events *e)
{
    struct full_buckets full = {.now_ms = now_ms(e),
                                .keys = mem_array(e->buckets.count + 1, sizeof(const char *))};
    keymap_each(&e->buckets, collect_full, &full);
    for (size_t i = 0; i < full.count; i++)
        mem_free(keymap_remove(&e->buckets, full.keys[i]));
    mem_free(full.keys);
    e->swept_ms = full.now_ms;
}

static struct tokenbucket *bucket_of(struct events *e, const char *key)
{
    struct tokenbucket *bucket = keymap_get(&e->buckets, key);
    if (bucket != NULL)
        return bucket;
    if (now_ms(e) - e->swept_ms >= EVENTS_PERIOD_MS)
        drop_full_buckets(e);
    if (e->buckets.count >= EVENTS_COUNTED_MAX)
        return &e->shared;
    bucket = mem_zalloc(sizeof *bucket);
    keymap_put(&e->buckets, key, bucket);
    return bucket;
}

static bool may_send(struct events *e, const struct event_object *about)
{
    cleanup_mem char *key = mem_printf("%s/%s", about->kind, about->name);
    if (tokenbucket_take(bucket_of(e, key), EVENTS_BURST, EVENTS_PERIOD_MS, now_ms(e)))
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

/* Makes the event to send, and the one to send if its name is taken. */
static struct item *new_item(struct events *e, const struct event *event)
{
    struct item *item = mem_zalloc(sizeof *item);
    const char *instance = e->options.instance;
    long long us = next_us(e);
    bool has_again = event->topic != NULL && !event->is_known;
    item->events = e;
    item->since_ms = now_ms(e);
    item->name = mem_strdup(event->about.name);
    buf_init(&item->body, EVENTS_BODY_CAP_BYTES);
    buf_init(&item->again, EVENTS_BODY_CAP_BYTES);
    events_render(&item->body, event, instance, us,
                  event->topic == NULL ? number_of_time(us) : number_of_words(event));
    if (has_again)
        events_render(&item->again, event, instance, us, number_of_time(us));
    return item;
}

void events_send(struct events *events, const struct event *event)
{
    if (events == NULL || !may_send(events, &event->about))
        return;
    if (events->in_line >= EVENTS_LINE_MAX) {
        count(events, "dropped");
        return;
    }
    struct item *item = new_item(events, event);
    TAILQ_INSERT_TAIL(&events->line, item, link);
    events->in_line++;
    send_next(events);
}

void events_resume(struct events *events)
{
    if (events != NULL)
        send_next(events);
}

/* The whole */

struct events *events_new(const struct events_options *options)
{
    static const char *const results[] = {"sent", "known", "failed", "forbidden", "limited", "dropped"};
    struct events *e = mem_zalloc(sizeof *e);
    e->options = *options;
    TAILQ_INIT(&e->line);
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        metrics_add(e->options.metrics, METRICFAMILIES_EVENTS, METRICS_LABELS(results[i]), 0);
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
    for (struct item *item; (item = TAILQ_FIRST(&events->line)) != NULL;) {
        TAILQ_REMOVE(&events->line, item, link);
        free_item(item);
    }
    keymap_deinit(&events->buckets, mem_free);
    mem_free(events);
}
