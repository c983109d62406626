/* Nothing may change the multi handle while a callback of curl runs. So http_start, http_cancel and
 * http_reset only note what is to be done, in the state of a request or in reset_why. The idle handle, which
 * is active only while something is noted, does it later, from the loop. */
#include "client/http/http.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/base/timer.h"
#include "client/http/http_multi.h"
#include "client/http/http_request.h"

struct http {
    uv_loop_t *loop;
    struct http_request_common common;
    uint64_t (*left_ms)(void *user);
    void *left_user;
    struct http_multi multi;
    uv_timer_t handshakes; /* runs while a request has no head, and then once more */
    uv_idle_t idle;
    LIST_HEAD(request_list, http_request) requests; /* all that are not freed */
    char *reset_why;       /* why all connections are to be closed; NULL: they are not */
    unsigned open_handles; /* not closed yet: handshakes, idle, and multi, which counts as one */
    bool is_closing;
    void (*on_closed)(void *user);
    void *on_closed_user;
};

static void on_idle(uv_idle_t *idle);

static void note(struct http *http)
{
    if (!uv_is_active((const uv_handle_t *)&http->idle))
        uv_idle_start(&http->idle, on_idle);
}

/* ---- requests end ---- */

static void drop(struct http_request *r)
{
    struct http *http = r->http;
    LIST_REMOVE(r, link);
    if (r->state != HTTP_REQUEST_QUEUED)
        http_multi_remove(&http->multi, r->easy);
    http_request_free(r);
}

/* Ends a request with on_done. The request is freed before, since on_done may start and cancel requests. */
static void finish(struct http_request *r, const struct err *err)
{
    const struct http_handler *handler = r->handler;
    void *user = r->user;
    struct err copy;
    err_copy(&copy, err);
    drop(r);
    handler->on_done(user, err ? &copy : NULL);
}

static void on_complete(void *user, CURL *easy, CURLcode code)
{
    struct http_request *r = http_request_of(easy);
    struct err err;
    (void)user;
    if (r->state == HTTP_REQUEST_CANCELED)
        drop(r);
    else if (http_request_has_rest(r))
        http_request_complete(r, code);
    else
        finish(r, http_request_result(r, code, &err) == 0 ? NULL : &err);
}

static uint64_t left_ms(const struct http *http)
{
    return http->left_ms ? http->left_ms(http->left_user) : UINT64_MAX;
}

/* Returns true if no event may be passed to curl. While a reset is noted, or if requests may no longer be
 * under way (the process may have been paused for long), curl must not continue its requests: they are
 * dropped first.
 */
static bool is_held(void *user)
{
    struct http *http = user;
    if (left_ms(http) == 0)
        http_reset(http, "no request may be under way any more");
    return http->reset_why;
}

static void on_unwatched(void *user)
{
    http_reset(user, "a socket cannot be watched");
}

/* ---- handshakes and patience ---- */

enum { HANDSHAKE_LOOK_MS = 1000 };

/* Queues the request again, with a connection of its own. curl lets a new request wait, so that it can share
 * the connection that another request opens. If the server speaks only HTTP/1.1, nothing is shared, and the
 * new request would wait until the other one ends. A watch may never end. */
static void end_patience(struct http_request *r)
{
    http_multi_remove(&r->http->multi, r->easy);
    http_request_end_patience(r);
    r->state = HTTP_REQUEST_QUEUED;
    note(r->http);
}

static void on_handshake_look(uv_timer_t *timer)
{
    struct http *http = timer->data;
    const uint64_t now_ms = uv_now(http->loop);
    bool is_waiting = false;
    for (struct http_request *r = LIST_FIRST(&http->requests); r && !http->is_closing;) {
        const bool is_open = r->state == HTTP_REQUEST_RUNNING && !r->has_head;
        is_waiting = is_waiting || is_open;
        if (!is_open || !http_request_has_stalled(r, now_ms)) {
            if (is_open && http_request_has_waited(r, now_ms))
                end_patience(r);
            r = LIST_NEXT(r, link);
            continue;
        }
        struct err err;
        (void)err_set(&err, ERR_TIMEOUT, "no end of the handshake within %d s",
                      HTTP_HANDSHAKE_TIMEOUT_MS / 1000);
        finish(r, &err);
        r = LIST_FIRST(&http->requests); /* the callback may have changed the list */
    }
    if (is_waiting)
        return;
    uv_timer_stop(timer);
    http_request_drop_idle(&http->common);
}

/* ---- notes are acted on ---- */

/* Takes all requests from curl, so that it can close every connection. */
static void take_from_curl(struct http *http)
{
    for (struct http_request *r = LIST_FIRST(&http->requests); r; r = LIST_NEXT(r, link)) {
        if (r->state != HTTP_REQUEST_QUEUED)
            http_multi_remove(&http->multi, r->easy);
    }
}

/* Every running request fails; queued requests are sent on new connections. */
static void act_on_reset(struct http *http)
{
    struct err err;
    (void)err_set(&err, ERR_NETWORK, "connection closed: %s", http->reset_why);
    mem_free(http->reset_why);
    http->reset_why = NULL;
    take_from_curl(http);
    http_multi_renew(&http->multi);
    for (struct http_request *r = LIST_FIRST(&http->requests); r; r = LIST_NEXT(r, link)) {
        if (r->state == HTTP_REQUEST_RUNNING)
            r->failure = err;
    }
    for (struct http_request *r = LIST_FIRST(&http->requests); r && !http->is_closing;) {
        if (r->state != HTTP_REQUEST_RUNNING || r->failure.code == ERR_NONE) {
            r = LIST_NEXT(r, link);
            continue;
        }
        finish(r, &err);
        r = LIST_FIRST(&http->requests); /* the callback may have changed the list */
    }
}

static void act_on_canceled(struct http *http)
{
    for (struct http_request *r = LIST_FIRST(&http->requests); r;) {
        struct http_request *next = LIST_NEXT(r, link);
        if (r->state == HTTP_REQUEST_CANCELED)
            drop(r);
        r = next;
    }
}

static void act_on_queued(struct http *http)
{
    for (struct http_request *r = LIST_FIRST(&http->requests); r && !http->is_closing;) {
        if (r->state != HTTP_REQUEST_QUEUED) {
            r = LIST_NEXT(r, link);
            continue;
        }
        if (r->failure.code == ERR_NONE)
            http_request_keep_within(r, left_ms(http));
        if (r->failure.code == ERR_NONE && http_multi_add(&http->multi, r->easy, &r->failure) == 0) {
            r->state = HTTP_REQUEST_RUNNING;
            r->started_ms = uv_now(http->loop);
            if (!uv_is_active((const uv_handle_t *)&http->handshakes))
                timer_start(&http->handshakes, on_handshake_look, HANDSHAKE_LOOK_MS, HANDSHAKE_LOOK_MS);
            r = LIST_NEXT(r, link);
            continue;
        }
        const struct err failure = r->failure;
        finish(r, &failure);
        r = LIST_FIRST(&http->requests);
    }
}

/* Hands out more of each body that was not handed out completely: as much as one turn of the loop allows. */
static void act_on_rests(struct http *http)
{
    for (struct http_request *r = LIST_FIRST(&http->requests); r && !http->is_closing;) {
        CURLcode code;
        struct err err;
        if (r->state != HTTP_REQUEST_RUNNING || !http_request_has_rest(r)) {
            r = LIST_NEXT(r, link);
            continue;
        }
        if (!http_request_go_on(r, &code)) {
            if (http_request_has_rest(r))
                note(http);
            r = LIST_NEXT(r, link);
            continue;
        }
        if (r->state == HTTP_REQUEST_CANCELED)
            drop(r);
        else
            finish(r, http_request_result(r, code, &err) == 0 ? NULL : &err);
        r = LIST_FIRST(&http->requests); /* the callback may have changed the list */
    }
}

static void on_part_closed(void *part_of)
{
    struct http *http = part_of;
    if (--http->open_handles > 0)
        return;
    void (*on_closed)(void *) = http->on_closed;
    void *user = http->on_closed_user;
    mem_free(http->common.proxy_url);
    mem_free(http->common.user_agent);
    curl_slist_free_all(http->common.proxy_headers);
    mem_free_secret(http->common.basic_auth);
    mem_free(http->reset_why);
    mem_free(http);
    if (on_closed)
        on_closed(user);
}

static void on_handle_closed(uv_handle_t *handle)
{
    on_part_closed(handle->data);
}

static void act_on_closing(struct http *http)
{
    take_from_curl(http);
    http_multi_close(&http->multi, on_part_closed);
    while (!LIST_EMPTY(&http->requests))
        drop(LIST_FIRST(&http->requests));
    http_request_drop_idle(&http->common);
    uv_close((uv_handle_t *)&http->handshakes, on_handle_closed);
    uv_close((uv_handle_t *)&http->idle, on_handle_closed);
}

static void on_idle(uv_idle_t *idle)
{
    struct http *http = idle->data;
    uv_idle_stop(idle);
    act_on_canceled(http);
    if (!http->is_closing && http->reset_why)
        act_on_reset(http);
    if (!http->is_closing)
        act_on_rests(http);
    if (!http->is_closing)
        act_on_queued(http);
    /* added requests are sent now, not after the turn's other work, when the timer is looked at */
    if (!http->is_closing)
        http_multi_kick(&http->multi);
    if (http->is_closing)
        act_on_closing(http);
}

/* ---- the interface ---- */

static const struct http_multi_handler of_multi = {
    .is_held = is_held, .on_complete = on_complete, .on_unwatched = on_unwatched};

int http_new(uv_loop_t *loop, const struct http_options *options, struct http **out, struct err *err)
{
    *out = NULL;
    struct http *http = mem_zalloc(sizeof *http);
    if (http_multi_init(&http->multi, loop, &of_multi, http, err) != 0) {
        mem_free(http);
        return -1;
    }
    LIST_INIT(&http->requests);
    http->loop = loop;
    http->common = (struct http_request_common){
        .loop = loop,
        .on_rest = note,
        .tls = options->tls,
        .proxy_url = mem_strdup_or_null(options->proxy_url),
        .user_agent = options->user_agent ? mem_printf("User-Agent: %s", options->user_agent) : NULL,
        .basic_auth = mem_strdup_or_null(options->basic_auth),
        .disable_compression = options->disable_compression,
    };
    if (http->common.user_agent)
        http->common.proxy_headers = curl_slist_append(NULL, http->common.user_agent);
    http->left_ms = options->left_ms;
    http->left_user = options->user;
    uv_timer_init(loop, &http->handshakes);
    uv_idle_init(loop, &http->idle);
    http->handshakes.data = http;
    http->idle.data = http;
    http->open_handles = 3;
    *out = http;
    return 0;
}

void http_close(struct http *http, void (*on_closed)(void *user), void *user)
{
    http->is_closing = true;
    http->on_closed = on_closed;
    http->on_closed_user = user;
    http_multi_stop(&http->multi);
    for (struct http_request *r = LIST_FIRST(&http->requests); r; r = LIST_NEXT(r, link)) {
        if (r->state == HTTP_REQUEST_RUNNING)
            r->state = HTTP_REQUEST_CANCELED;
    }
    note(http);
}

struct http_request *http_start(struct http *http, const struct http_params *params,
                                const struct http_handler *handler, void *user)
{
    struct http_request *r = http_request_new(&http->common, params, handler, user);
    r->http = http;
    LIST_INSERT_HEAD(&http->requests, r, link);
    note(http);
    return r;
}

void http_cancel(struct http_request *request)
{
    if (!request)
        return;
    if (request->state == HTTP_REQUEST_QUEUED) {
        /* curl has not seen it. */
        drop(request);
        return;
    }
    request->state = HTTP_REQUEST_CANCELED;
    note(request->http);
}

void http_reset(struct http *http, const char *why)
{
    http_request_renew_common(&http->common);
    if (http->reset_why || http->is_closing)
        return;
    http->reset_why = mem_strdup(why);
    note(http);
}
