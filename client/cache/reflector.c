#include "client/cache/reflector.h"

#include <inttypes.h>
#include <string.h>

#include "client/base/log.h"
#include "client/base/mem.h"
#include "client/base/timer.h"
#include "client/cache/reflectorplan.h"
#include "client/rest/watchevent.h"

enum { SILENCE_CHECK_MS = 10000 };

/* WAITING: the timer runs. LISTING, STREAMING, WATCHING: a call is under way; a stream turns into a watch.
 * reflectorplan.h decides which one comes next. */
enum reflector_state {
    REFLECTOR_WAITING,
    REFLECTOR_LISTING,
    REFLECTOR_STREAMING,
    REFLECTOR_WATCHING,
    REFLECTOR_CLOSED,
};

struct reflector {
    struct api *api;
    struct reflector_options options;
    char *name;
    char *path;
    struct store *store;
    struct store *fresh; /* a list that is arriving */
    struct reflectorplan plan;
    struct reflectorplan_action action;
    enum reflector_state state;
    struct api_call *call;
    struct api_call *probe;
    uv_timer_t wait;
    uv_timer_t silence;
    unsigned open_handles;
    bool has_synced;
    bool has_left_out;   /* said so */
    uint64_t unreadable; /* objects that were left out without a trace, each time that they came */
    uint64_t heard_ms;   /* when the server last said something of the objects */
    struct err err;
    void (*on_closed)(void *user);
    void *on_closed_user;
};

static const char *const state_names[] = {[REFLECTOR_WAITING] = "waiting",
                                          [REFLECTOR_LISTING] = "listing",
                                          [REFLECTOR_STREAMING] = "streaming",
                                          [REFLECTOR_WATCHING] = "watching",
                                          [REFLECTOR_CLOSED] = "closed"};

static void reflector_enter(struct reflector *r, enum reflector_state state)
{
    log_debug(r->name, "reflector: %s -> %s", state_names[r->state], state_names[state]);
    r->state = state;
}

static uint64_t now_ms(const struct reflector *r)
{
    return uv_now(api_loop(r->api));
}

static void follow(struct reflector *r, struct reflectorplan_action action);

/* Logs each failure once, remembers it for reflector_error. */
static void note_failure(struct reflector *r, const struct err *err)
{
    /* a failure that repeats itself is logged once */
    const bool is_news = strcmp(r->err.msg, err->msg) != 0;
    r->err = *err;
    if (is_news)
        log_warn(r->name, "%s (%s)", err->msg, err_code_name(err->code));
    else
        log_debug(r->name, "%s (%s), again", err->msg, err_code_name(err->code));
    if (r->options.on_error)
        r->options.on_error(r->options.user, err);
}

/* Said once, until nothing is left out any more. */
static void note_left_out(struct reflector *r)
{
    const bool has_left_out = store_left_out(r->store) > 0;
    if (has_left_out && !r->has_left_out)
        log_warn(r->name,
                 "only metadata and status of some objects are kept, and these objects are not checked: "
                 "the memory for objects is used up, or they are too large");
    r->has_left_out = has_left_out;
}

/* One object that cannot be kept, not even its identity, is no reason to know nothing of the others. */
static void note_unreadable(struct reflector *r, const struct err *why)
{
    if (r->unreadable++ == 0)
        log_warn(r->name, "an object is left out, since it cannot be read or kept: %s", why->msg);
    else
        log_debug(r->name, "an object is left out, since it cannot be read or kept: %s", why->msg);
}

/* ---- objects ---- */

static int put_long(struct reflector *r, struct store *store, const struct jsonmeta *meta, struct err *err)
{
    cleanup_mem char *name = jsonpick_string_or_empty(&meta->name);
    const struct store_object *before = store_get(r->store, name);
    const bool is_news = before == NULL || before->left_out != STORE_TOO_LONG;
    if (store_put_long(store, meta, err) != 0)
        return -1;
    if (is_news)
        log_warn(r->name, "%s is not checked: its JSON text is longer than %d bytes, or is nested too deeply",
                 name, API_FRAME_CAP_BYTES);
    return 0;
}

/* An object that does not fit, or does not say which object it is, is left out. Any other error ends the
 * stream. */
static int leave_out(struct reflector *r, bool is_cut, struct err *err)
{
    if (!is_cut && err->code != ERR_LIMIT)
        return -1;
    note_unreadable(r, err);
    err_clear(err);
    return 0;
}

/* One whose text is nested too deeply is like one that is too long. */
static int put_item(struct reflector *r, const char *bytes, size_t len, bool is_cut, struct err *err)
{
    struct jsonmeta meta;
    if (!is_cut && jsonmeta_read(&meta, bytes, len, err) == 0)
        return store_put(r->fresh, bytes, len, &meta, err);
    if (!is_cut && err->code != ERR_LIMIT)
        return -1;
    jsonmeta_read_head(&meta, bytes, len);
    return put_long(r, r->fresh, &meta, err);
}

static int put_event(struct reflector *r, struct store *store, const struct watchevent *event,
                     struct err *err)
{
    return event->is_cut ? put_long(r, store, &event->meta, err)
                         : store_put(store, event->object, event->object_len, &event->meta, err);
}

/* ---- listing ---- */

static int on_item(void *user, const char *bytes, size_t len, bool is_cut, struct err *err)
{
    struct reflector *r = user;
    return put_item(r, bytes, len, is_cut, err) == 0 ? 0 : leave_out(r, is_cut, err);
}

static void take_list(struct reflector *r)
{
    struct store *fresh = r->fresh;
    r->fresh = NULL;
    r->heard_ms = now_ms(r);
    store_replace(r->store, fresh);
    note_left_out(r);
    if (r->has_synced || r->state == REFLECTOR_CLOSED)
        return;
    r->has_synced = true;
    log_info(r->name, "synced: %zu objects, %zu bytes", store_count(r->store), store_bytes(r->store));
    if (r->options.on_synced)
        r->options.on_synced(r->options.user);
}

static void on_list_done(void *user, const struct err *err, const char *version, const char *continue_token)
{
    struct reflector *r = user;
    struct err endless;
    r->call = NULL;
    if (!err && reflectorplan_check_page(&r->plan, continue_token, &endless) != 0)
        err = &endless;
    const struct reflectorplan_action next =
        reflectorplan_on_list_done(&r->plan, err, version, continue_token, now_ms(r));
    if (err)
        note_failure(r, err);
    else if (next.verb == REFLECTORPLAN_WATCH)
        take_list(r);
    if (r->state != REFLECTOR_CLOSED)
        follow(r, next);
}

static const struct api_list_handler list_handler = {on_item, on_list_done};

static void begin_fresh(struct reflector *r)
{
    if (!r->action.is_first_page)
        return;
    store_free(r->fresh);
    r->fresh = store_new_beside(r->store);
}

static void list(struct reflector *r)
{
    const struct reflectorplan_action *a = &r->action;
    begin_fresh(r);
    const struct api_list params = {
        .path = r->path,
        .resource_version = a->resource_version,
        .continue_token = a->continue_token,
        .limit = a->limit,
        .metadata_only = r->options.metadata_only,
    };
    reflector_enter(r, REFLECTOR_LISTING);
    r->call = api_list(r->api, &params, &list_handler, r);
}

/* ---- watching ---- */

static void on_open(void *user)
{
    struct reflector *r = user;
    err_clear(&r->err);
    reflectorplan_on_watch_open(&r->plan, now_ms(r));
}

static int on_event(void *user, const struct watchevent *event, struct err *err)
{
    struct reflector *r = user;
    /* Initial events are gathered aside: until they are complete nobody sees a part of them. */
    struct store *store = r->state == REFLECTOR_STREAMING ? r->fresh : r->store;
    switch (event->type) {
    case WATCHEVENT_ADDED:
    case WATCHEVENT_MODIFIED:
        if (put_event(r, store, event, err) != 0 && leave_out(r, event->is_cut, err) != 0)
            return -1;
        break;
    case WATCHEVENT_DELETED:
        if (store_delete(store, event->object, event->object_len, &event->meta, err) != 0)
            return -1;
        break;
    case WATCHEVENT_BOOKMARK:
        break;
    case WATCHEVENT_ERROR:
        *err = event->error;
        return -1;
    }
    r->heard_ms = now_ms(r);
    note_left_out(r);
    if (r->state == REFLECTOR_CLOSED ||
        !reflectorplan_on_event(&r->plan, event->resource_version, event->is_initial_end, now_ms(r)))
        return 0;
    reflector_enter(r, REFLECTOR_WATCHING);
    take_list(r);
    return 0;
}

static void on_unreadable(void *user, const struct err *why)
{
    struct reflector *r = user;
    r->heard_ms = now_ms(r);
    note_unreadable(r, why);
}

static void stop_silence(struct reflector *r)
{
    uv_timer_stop(&r->silence);
    api_cancel(r->probe);
    r->probe = NULL;
}

static void on_watch_done(void *user, const struct err *err)
{
    struct reflector *r = user;
    r->call = NULL;
    stop_silence(r);
    const struct reflectorplan_action next = reflectorplan_on_watch_done(&r->plan, err, now_ms(r));
    if (err && r->state == REFLECTOR_STREAMING && next.delay_ms == 0)
        log_debug(r->name, "the server refuses a streaming list, a plain list is read instead: %s", err->msg);
    else if (err)
        note_failure(r, err);
    if (r->state != REFLECTOR_CLOSED)
        follow(r, next);
}

static void end_watch(struct reflector *r, const struct err *err)
{
    api_cancel(r->call);
    on_watch_done(r, err);
}

static const struct api_watch_handler watch_handler = {on_open, on_event, on_unreadable, on_watch_done};

/* A peer that answers is alive, whatever the status of its answer. */
static void on_probe(void *user, const struct err *err, const struct api_reply *reply)
{
    struct reflector *r = user;
    (void)reply;
    r->probe = NULL;
    if (err && err->http_status == 0) {
        log_warn(r->name, "the watch is silent, and a probe got no answer: %s", err->msg);
        api_reset_connections(r->api, "the peer does not answer");
        return;
    }
    log_info(r->name, "the watch is silent, but the server answers: the watch is opened again");
    end_watch(r, NULL);
}

static void on_silence_check(uv_timer_t *timer)
{
    struct reflector *r = timer->data;
    if (reflectorplan_is_too_slow(&r->plan, now_ms(r))) {
        struct err err;
        (void)err_set(&err, ERR_TIMEOUT, "no end of the initial events within %d s",
                      REFLECTORPLAN_STREAM_MS / 1000);
        end_watch(r, &err);
        return;
    }
    if (r->probe || !r->call || now_ms(r) - api_last_byte_ms(r->call) < REFLECTORPLAN_SILENCE_MS)
        return;
    const struct api_get get = {
        .path = "/version", .timeout_ms = REFLECTORPLAN_PROBE_MS, .new_connection = true};
    r->probe = api_get(r->api, &get, on_probe, r);
}

/* A watch, or a stream, which becomes one. */
static void watch(struct reflector *r)
{
    const struct reflectorplan_action *a = &r->action;
    const bool is_stream = a->verb == REFLECTORPLAN_STREAM;
    const struct api_watch params = {
        .path = r->path,
        .resource_version = a->resource_version,
        .timeout_s = a->timeout_s,
        .metadata_only = r->options.metadata_only,
        .send_initial_events = is_stream,
    };
    begin_fresh(r);
    reflector_enter(r, is_stream ? REFLECTOR_STREAMING : REFLECTOR_WATCHING);
    reflectorplan_on_watch_start(&r->plan, is_stream, now_ms(r));
    timer_start(&r->silence, on_silence_check, SILENCE_CHECK_MS, SILENCE_CHECK_MS);
    r->call = api_watch(r->api, &params, &watch_handler, r);
}

/* ---- the next action ---- */

static void act(struct reflector *r)
{
    switch (r->action.verb) {
    case REFLECTORPLAN_LIST:
        list(r);
        return;
    case REFLECTORPLAN_STREAM:
    case REFLECTORPLAN_WATCH:
        watch(r);
        return;
    }
}

static void on_waited(uv_timer_t *timer)
{
    act(timer->data);
}

static void follow(struct reflector *r, struct reflectorplan_action action)
{
    r->action = action;
    if (action.delay_ms == 0) {
        act(r);
        return;
    }
    reflector_enter(r, REFLECTOR_WAITING);
    log_debug(r->name, "reflector: next try in %" PRIu64 " ms", action.delay_ms);
    timer_start(&r->wait, on_waited, action.delay_ms, 0);
}

/* ---- the interface ---- */

struct reflector *reflector_start(struct api *api, const struct reflector_options *options)
{
    struct reflector *r = mem_zalloc(sizeof *r);
    r->api = api;
    r->heard_ms = uv_now(api_loop(api));
    r->options = *options;
    r->name = mem_strdup(options->name);
    r->path = mem_strdup(options->path);
    r->store = store_new(options->on_change, options->user);
    store_set_budget(r->store, options->budget);
    store_set_sample(r->store, options->sample);
    reflectorplan_init(&r->plan, backoff_seed());
    uv_timer_init(api_loop(api), &r->wait);
    uv_timer_init(api_loop(api), &r->silence);
    r->wait.data = r;
    r->silence.data = r;
    r->open_handles = 2;
    follow(r, reflectorplan_start(&r->plan));
    return r;
}

static void on_handle_closed(uv_handle_t *handle)
{
    struct reflector *r = handle->data;
    if (--r->open_handles > 0)
        return;
    void (*on_closed)(void *) = r->on_closed;
    void *user = r->on_closed_user;
    store_free(r->fresh); /* first, because it looks at the other */
    store_free(r->store);
    reflectorplan_deinit(&r->plan);
    mem_free(r->name);
    mem_free(r->path);
    mem_free(r);
    if (on_closed)
        on_closed(user);
}

void reflector_close(struct reflector *reflector, void (*on_closed)(void *user), void *user)
{
    struct reflector *r = reflector;
    reflector_enter(r, REFLECTOR_CLOSED);
    r->on_closed = on_closed;
    r->on_closed_user = user;
    api_cancel(r->call);
    r->call = NULL;
    stop_silence(r);
    store_mute(r->store);
    uv_close((uv_handle_t *)&r->wait, on_handle_closed);
    uv_close((uv_handle_t *)&r->silence, on_handle_closed);
}

const struct store *reflector_store(const struct reflector *reflector)
{
    return reflector->store;
}

bool reflector_has_synced(const struct reflector *reflector)
{
    return reflector->has_synced;
}

const struct err *reflector_error(const struct reflector *reflector)
{
    return reflector->err.code == ERR_NONE ? NULL : &reflector->err;
}

uint64_t reflector_unreadable(const struct reflector *reflector)
{
    return reflector->unreadable;
}

uint64_t reflector_silent_ms(const struct reflector *reflector)
{
    return now_ms(reflector) - reflector->heard_ms;
}

uint64_t reflector_failing_ms(const struct reflector *reflector)
{
    return reflectorplan_failing_ms(&reflector->plan, now_ms(reflector));
}
