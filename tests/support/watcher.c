#include "tests/support/watcher.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"

struct watcher {
    struct objects *objects;
    const struct objects_kind *kind;
    char *name;
    bool has_bookmarks, is_metadata_only, is_ended;
    uint64_t version; /* what was sent so far */
    uint64_t end_ms, bookmark_ms;
    struct buf pending;
    size_t sent; /* of pending */
};

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

struct json_object *watcher_metadata_of(struct json_object *object)
{
    struct json_object *partial =
        reply_value("{'kind':'PartialObjectMetadata','apiVersion':'meta.k8s.io/v1'}");
    json_object_object_add(partial, "metadata", json_object_get(jsonval_get(object, "metadata")));
    return partial;
}

static void put_event(struct watcher *w, const char *type, struct json_object *object)
{
    cleanup_json struct json_object *partial = NULL;
    if (w->is_metadata_only)
        object = partial = watcher_metadata_of(object);
    buf_printf(&w->pending, "{\"type\":\"%s\",\"object\":", type);
    buf_puts(&w->pending, json_object_to_json_string_ext(object, JSON_C_TO_STRING_NOSLASHESCAPE));
    buf_puts(&w->pending, "}\n");
}

static void put_bookmark(struct watcher *w, bool is_initial_end)
{
    buf_printf(&w->pending,
               "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"%s\",\"apiVersion\":\"%s/%s\",\"metadata\":{"
               "\"resourceVersion\":\"%llu\"%s}}}\n",
               w->is_metadata_only ? "PartialObjectMetadata" : w->kind->kind,
               w->is_metadata_only ? "meta.k8s.io" : w->kind->group, w->kind->version,
               (unsigned long long)w->version,
               is_initial_end ? ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}" : "");
    w->bookmark_ms = now_ms() + WATCHER_BOOKMARK_MS;
}

int watcher_version(const struct objects *objects, const struct httpd_request *request, uint64_t *version,
                    struct reply *reply)
{
    const char *text = httpd_query(request, "resourceVersion");
    char *end;
    *version = strtoull(text, &end, 10);
    if (*end != '\0')
        return reply_problem(reply, 400, "BadRequest", "resourceVersion \"%s\" is none of ours", text);
    if (*version > objects_version(objects))
        return reply_problem(reply, 504, "Timeout", "Too large resource version: %s", text);
    return 0;
}

struct watcher *watcher_new(struct objects *objects, const struct objects_kind *kind, const char *name,
                            const struct httpd_request *request, struct reply *reply)
{
    uint64_t version;
    if (watcher_version(objects, request, &version, reply) != 0)
        return NULL;
    bool sends_initial_events = httpd_is_true(request, "sendInitialEvents");
    bool is_list = version == 0 || sends_initial_events;
    if (!is_list && !objects_remember(objects, version)) {
        reply_problem(reply, 410, "Expired", "too old resource version: %llu", (unsigned long long)version);
        return NULL;
    }
    uint64_t timeout_s = strtoull(httpd_query(request, "timeoutSeconds"), NULL, 10);
    struct watcher *w = mem_zalloc(sizeof *w);
    w->objects = objects;
    w->kind = kind;
    w->name = mem_strdup(name);
    w->has_bookmarks = httpd_is_true(request, "allowWatchBookmarks");
    w->is_metadata_only = httpd_accepts(request, "as=PartialObjectMetadata");
    w->end_ms = now_ms() + 1000 * (timeout_s > 0 ? timeout_s : WATCHER_TIMEOUT_S);
    w->bookmark_ms = now_ms() + WATCHER_BOOKMARK_MS;
    w->version = version;
    buf_init(&w->pending, REPLY_CAP_BYTES);
    if (is_list) {
        cleanup_json struct json_object *items = objects_list(objects, kind, name);
        for (size_t i = 0; i < jsonval_length(items); i++)
            put_event(w, "ADDED", jsonval_at(items, i));
        w->version = objects_version(objects);
    }
    if (sends_initial_events)
        put_bookmark(w, true);
    return w;
}

void watcher_free(struct watcher *w)
{
    buf_deinit(&w->pending);
    mem_free(w->name);
    mem_free(w);
}

/* It read too slowly. */
static void put_expired(struct watcher *w)
{
    buf_puts(&w->pending, "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\","
                          "\"status\":\"Failure\",\"reason\":\"Expired\",\"code\":410,"
                          "\"message\":\"too old resource version\"}}\n");
    w->is_ended = true;
}

/* One step towards something to send: an event, a bookmark, the end, or a wait. */
static void advance(struct watcher *w)
{
    uint64_t now = now_ms();
    if (!objects_remember(w->objects, w->version)) {
        put_expired(w);
        return;
    }
    const struct objects_event *event = objects_next(w->objects, w->kind, w->name, w->version);
    if (event != NULL) {
        w->version = event->version;
        put_event(w, event->type, event->object);
        return;
    }
    w->version = objects_version(w->objects);
    if (now >= w->end_ms) {
        w->is_ended = true;
    } else if (now >= w->bookmark_ms && w->has_bookmarks) {
        put_bookmark(w, false);
    } else {
        uint64_t next = w->has_bookmarks && w->bookmark_ms < w->end_ms ? w->bookmark_ms : w->end_ms;
        w->is_ended = !objects_wait(w->objects, next - now);
    }
}

size_t watcher_read(struct watcher *w, char *out, size_t cap)
{
    objects_lock(w->objects);
    while (w->pending.len == 0 && !w->is_ended)
        advance(w);
    objects_unlock(w->objects);
    size_t left = w->pending.len - w->sent, len = left < cap ? left : cap;
    memcpy(out, w->pending.data + w->sent, len);
    w->sent = len == left ? 0 : w->sent + len;
    if (len == left)
        buf_reset(&w->pending);
    return len;
}
