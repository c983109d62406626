#include "client/rest/api.h"

#include <string.h>
#include <strings.h>
#include <sys/queue.h>

#include "client/auth/credentials.h"
#include "client/base/buf.h"
#include "client/base/log.h"
#include "client/base/mem.h"
#include "client/base/timer.h"
#include "client/http/http.h"
#include "client/http/url.h"
#include "client/rest/apistatus.h"
#include "client/rest/lines.h"
#include "client/rest/listcut.h"
#include "client/rest/session.h"
#include "client/rest/watchevent.h"
#include "client/text/jsoncut.h"

enum {
    /* The longest Retry-After that is obeyed here. If the server asks for more, the call fails, and the
     * caller decides. */
    API_RETRY_AFTER_MAX_MS = 60000,
    /* After a lost connection the request is sent once more, after this delay. */
    API_REPEAT_MAX = 1,
    API_REPEAT_DELAY_MS = 100,
};

enum call_kind { CALL_REPLY, CALL_LIST, CALL_WATCH };

/* ASKING: the credentials are not there yet. SENT: an HTTP request is under way. WAITING: the
 * timer runs until the next try. ENDED: no callback any more, the timer closes. */
enum call_state { CALL_ASKING, CALL_SENT, CALL_WAITING, CALL_ENDED };

struct api_call {
    struct api *api;
    LIST_ENTRY(api_call) link;
    enum call_state state;
    enum call_kind kind;
    const char *verb;
    const char *method;
    char *path; /* for the log */
    struct buf url;
    struct http_headers headers; /* without the credentials */
    char *body;
    size_t body_len;
    uint64_t timeout_ms;
    size_t cap_bytes;
    bool new_connection;
    bool no_retry;
    bool needs_head;     /* only the beginning of the answer is kept: as much as its cap allows */
    bool is_cut;         /* the answer was longer than what is kept of it */
    struct jsoncut *cut; /* the cutter that drops parts of the answer; NULL if all of it is kept */
    bool is_misleading;  /* its path has a segment . or .., so the call fails and nothing is sent */

    struct http_request *request;
    uv_timer_t timer;
    unsigned retries;
    unsigned repeats;
    bool has_expired; /* a 401 has already made the credentials expire; not done again for this call */
    bool is_answered; /* was asking when the credentials' answer came */
    uint64_t started_ms;
    uint64_t last_byte_ms;
    int status;
    int retry_after_ms;
    char *etag;
    struct buf answer;  /* REPLY: the body; otherwise the body of a failure */
    struct err failure; /* ours or the handler's; wins over the transport's */

    api_on_reply *on_reply;
    const struct api_list_handler *list_handler;
    struct listcut list;
    const struct api_watch_handler *watch_handler;
    struct lines lines;
    void *user;
};

struct api {
    struct session session;
    struct api_options options;
    LIST_HEAD(call_list, api_call) calls;
    bool is_refreshing; /* the credential plugin runs */
    void (*on_closed)(void *user);
    void *on_closed_user;
};

static void send_call(struct api_call *c);

/* ---- the life of an api ---- */

int api_new(uv_loop_t *loop, const struct config *config, const struct api_options *options, struct api **out,
            struct err *err)
{
    struct api *api = mem_zalloc(sizeof *api);
    const struct session_options session = {options->program, options->left_ms, options->user};
    *out = NULL;
    LIST_INIT(&api->calls);
    api->options = *options;
    if (session_init(&api->session, loop, config, &session, err) != 0) {
        mem_free(api);
        return -1;
    }
    *out = api;
    return 0;
}

static void on_session_closed(void *user)
{
    struct api *api = user;
    void (*on_closed)(void *) = api->on_closed;
    void *on_closed_user = api->on_closed_user;
    mem_free(api);
    if (on_closed)
        on_closed(on_closed_user);
}

void api_close(struct api *api, void (*on_closed)(void *user), void *user)
{
    api->on_closed = on_closed;
    api->on_closed_user = user;
    while (!LIST_EMPTY(&api->calls))
        api_cancel(LIST_FIRST(&api->calls));
    session_close(&api->session, on_session_closed, api);
}

/* ---- the life of a call ---- */

static struct api_call *new_call(struct api *api, enum call_kind kind, const char *verb, const char *method,
                                 const char *path)
{
    struct api_call *c = mem_zalloc(sizeof *c);
    c->api = api;
    c->kind = kind;
    c->verb = verb;
    c->method = method;
    c->path = mem_strdup(path);
    c->last_byte_ms = uv_now(api->session.loop);
    uv_timer_init(api->session.loop, &c->timer);
    c->timer.data = c;
    buf_init(&c->url, URL_CAP_BYTES);
    (void)url_join(&c->url, api->session.config->server, path);
    c->is_misleading = !url_is_plain(path);
    buf_init(&c->answer, kind == CALL_REPLY ? API_REPLY_CAP_BYTES : APISTATUS_BODY_CAP_BYTES);
    LIST_INSERT_HEAD(&api->calls, c, link);
    session_open_part(&api->session);
    return c;
}

static void on_call_closed(uv_handle_t *handle)
{
    struct api_call *c = handle->data;
    struct api *api = c->api;
    mem_free(c->path);
    buf_deinit(&c->url);
    mem_free(c->body);
    mem_free(c->etag);
    mem_free(c->cut);
    http_headers_deinit(&c->headers);
    buf_deinit(&c->answer);
    if (c->kind == CALL_LIST)
        listcut_deinit(&c->list);
    if (c->kind == CALL_WATCH)
        lines_deinit(&c->lines);
    mem_free(c);
    session_close_part(&api->session);
}

/* No callback from here on; the memory goes once the timer is closed. */
static void detach(struct api_call *c)
{
    c->state = CALL_ENDED;
    LIST_REMOVE(c, link);
    http_cancel(c->request);
    c->request = NULL;
    uv_close((uv_handle_t *)&c->timer, on_call_closed);
}

/* Ends a call with its callback; a call that is cancelled has none. The callback comes last, since it may
 * close the api. */
static void finish(struct api_call *c, const struct err *err)
{
    struct err failure;
    if (err) {
        failure = *err;
        credentials_redact(c->api->session.credentials, failure.msg);
        (void)err_prefix(&failure, "%s %.300s", c->verb, c->path);
        err = &failure;
        if (err->code == ERR_TLS)
            session_reload_soon(&c->api->session);
    }
    detach(c);
    switch (c->kind) {
    case CALL_REPLY: {
        const struct api_reply reply = {.status = c->status,
                                        .body = c->answer.data,
                                        .len = c->answer.len,
                                        .etag = c->etag ? c->etag : "",
                                        .is_cut = c->is_cut,
                                        .held = &c->answer};
        c->on_reply(c->user, err, err ? NULL : &reply);
        return;
    }
    case CALL_LIST:
        c->list_handler->on_done(c->user, err, err ? NULL : c->list.resource_version,
                                 err ? NULL : c->list.continue_token);
        return;
    case CALL_WATCH:
        c->watch_handler->on_done(c->user, err);
        return;
    }
}

void api_cancel(struct api_call *call)
{
    if (call)
        detach(call);
}

/* ---- one exchange ---- */

static int on_list_item(void *user, const char *bytes, size_t len, bool is_cut, struct err *err)
{
    struct api_call *c = user;
    if (c->state == CALL_ENDED)
        return -1;
    return c->list_handler->on_item(c->user, bytes, len, is_cut, err);
}

/* An event that is too long or too deep does not end the watch. */
static int on_long_line(struct api_call *c, const char *head, size_t len, struct err *err)
{
    struct watchevent event;
    int result = watchevent_parse_head(head, len, &event, err);
    if (result == 0) {
        result = c->watch_handler->on_event(c->user, &event, err);
        watchevent_deinit(&event);
        return result;
    }
    (void)err_prefix(err, "an event of more than %zu bytes", len);
    c->watch_handler->on_unreadable(c->user, err);
    err_clear(err);
    return c->state == CALL_ENDED ? -1 : 0;
}

static int on_watch_line(void *user, const char *line, size_t len, bool is_cut, struct err *err)
{
    struct api_call *c = user;
    struct watchevent event;
    if (c->state == CALL_ENDED)
        return -1;
    if (is_cut)
        return on_long_line(c, line, len, err);
    int result = watchevent_parse(line, len, &event, err);
    if (result != 0 && err->code == ERR_LIMIT)
        return on_long_line(c, line, len, err);
    credentials_redact(c->api->session.credentials, event.error.msg);
    if (result == 0)
        result = c->watch_handler->on_event(c->user, &event, err);
    watchevent_deinit(&event);
    return result;
}

static bool is_success(const struct api_call *c)
{
    return (c->status >= 200 && c->status < 300) || (c->kind == CALL_REPLY && c->status == 304);
}

/* A watch takes as long as it lasts: only the time until it was accepted counts. */
static bool is_open_watch(const struct api_call *c)
{
    return c->kind == CALL_WATCH && is_success(c);
}

static void observe(const struct api_call *c)
{
    const struct api *api = c->api;
    if (!api->options.on_exchange)
        return;
    const struct api_exchange exchange = {
        .verb = c->verb,
        .method = c->method,
        .host = api->session.host,
        .status = c->status,
        .duration_ms = uv_now(api->session.loop) - c->started_ms,
    };
    api->options.on_exchange(api->options.user, &exchange);
}

static int on_head(void *user, const struct http_head *head)
{
    struct api_call *c = user;
    c->last_byte_ms = uv_now(c->api->session.loop);
    c->status = head->status;
    c->retry_after_ms = head->retry_after_ms;
    mem_free(c->etag);
    c->etag = mem_strdup(head->etag);
    if (*head->warning) {
        cleanup_mem char *text = mem_strdup(head->warning);
        credentials_redact(c->api->session.credentials, text);
        log_debug(c->path, "the server warns: %.300s", text);
    }
    if (is_open_watch(c)) {
        observe(c);
        if (c->watch_handler->on_open)
            c->watch_handler->on_open(c->user);
    }
    return c->state == CALL_ENDED ? -1 : 0;
}

static int take_reply(struct api_call *c, const char *bytes, size_t len)
{
    const size_t room = c->answer.cap_bytes - c->answer.len;
    if (c->cut) {
        c->is_cut = jsoncut_feed(c->cut, bytes, len, &c->answer) != 0;
        return 0;
    }
    return buf_append(&c->answer, bytes, c->needs_head && len > room ? room : len);
}

static int on_data(void *user, const char *bytes, size_t len)
{
    struct api_call *c = user;
    c->last_byte_ms = uv_now(c->api->session.loop);
    if (!is_success(c)) {
        /* Only the first APISTATUS_BODY_CAP_BYTES of a failure's body are kept; then the request is ended. */
        const size_t room =
            APISTATUS_BODY_CAP_BYTES > c->answer.len ? APISTATUS_BODY_CAP_BYTES - c->answer.len : 0;
        (void)buf_append(&c->answer, bytes, len < room ? len : room);
        return len < room ? 0 : -1;
    }
    switch (c->kind) {
    case CALL_REPLY:
        return take_reply(c, bytes, len);
    case CALL_LIST:
        return listcut_feed(&c->list, bytes, len, on_list_item, c, &c->failure);
    case CALL_WATCH:
        return lines_feed(&c->lines, bytes, len, on_watch_line, c, &c->failure);
    }
    return 0;
}

static void on_retry(uv_timer_t *timer)
{
    send_call(timer->data);
}

static void retry_in(struct api_call *c, uint64_t delay_ms)
{
    c->state = CALL_WAITING;
    timer_start(&c->timer, on_retry, delay_ms, 0);
}

/* A connection that was lost before there was an answer (a GOAWAY, an idle one that the server closed): the
 * request is repeated. An answer that was partly handed out cannot be repeated. */
static bool repeat_if_lost(struct api_call *c, const struct err *err)
{
    if (err->code != ERR_NETWORK || c->status != 0 || c->kind != CALL_REPLY || c->no_retry ||
        c->repeats >= API_REPEAT_MAX)
        return false;
    c->repeats++;
    retry_in(c, API_REPEAT_DELAY_MS);
    return true;
}

/* Sends the call again if the answer allows it: after a 401 with new credentials, or after the time that the
 * server asks for. A watch is not sent again: the reflector opens a new one. */
static bool retry_if_asked(struct api_call *c)
{
    if (c->status == 401 && !c->has_expired && credentials_expire(c->api->session.credentials)) {
        c->has_expired = true;
        retry_in(c, 0);
        return true;
    }
    if ((c->status != 429 && c->status < 500) || c->kind == CALL_WATCH || c->no_retry ||
        c->retry_after_ms < 0 || c->retry_after_ms > API_RETRY_AFTER_MAX_MS || c->retries >= API_RETRY_MAX)
        return false;
    c->retries++;
    retry_in(c, (uint64_t)c->retry_after_ms);
    return true;
}

/* Checks, at the end of the body, that nothing is missing from an answer of this kind. */
static int end_of_body(struct api_call *c)
{
    switch (c->kind) {
    case CALL_REPLY:
        return 0;
    case CALL_LIST:
        return listcut_end(&c->list, &c->failure);
    case CALL_WATCH:
        /* A watch may be cut anywhere; half a line is not an event. */
        return 0;
    }
    return 0;
}

static void on_done(void *user, const struct err *transport)
{
    struct api_call *c = user;
    struct err err;
    c->request = NULL;
    if (!is_open_watch(c))
        observe(c);
    if (c->failure.code != ERR_NONE) {
        err = c->failure;
        finish(c, &err);
    } else if (transport && (c->status == 0 || is_success(c))) {
        if (!repeat_if_lost(c, transport))
            finish(c, transport);
    } else if (!is_success(c)) {
        if (retry_if_asked(c))
            return;
        apistatus_to_err(c->status, c->retry_after_ms, c->answer.data, c->answer.len, &err);
        finish(c, &err);
    } else if (end_of_body(c) != 0) {
        err = c->failure;
        finish(c, &err);
    } else {
        finish(c, NULL);
    }
}

static const struct http_handler exchange_handler = {on_head, on_data, on_done};

/* ---- sending ---- */

/* Ends only the calls that were asking when the answer came: a callback may start new calls, which ask
 * again. */
static void end_asking(struct api *api, const struct err *failure)
{
    struct api_call *c;
    LIST_FOREACH(c, &api->calls, link)
    c->is_answered = c->state == CALL_ASKING;
    for (c = LIST_FIRST(&api->calls); c;) {
        if (!c->is_answered || c->state != CALL_ASKING) {
            c = LIST_NEXT(c, link);
            continue;
        }
        finish(c, failure);
        c = LIST_FIRST(&api->calls); /* the callback may have changed the list */
    }
}

static void on_credentials(void *user, const struct err *err, bool is_new_identity)
{
    struct api *api = user;
    struct err failure;
    api->is_refreshing = false;
    if (is_new_identity)
        http_reset(api->session.http, "the client certificate changed");
    err_copy(&failure, err);
    if (!err && !credentials_are_ready(api->session.credentials))
        (void)err_set(&failure, ERR_UNAUTHORIZED, "the credential plugin's answer has expired already");
    if (failure.code != ERR_NONE) {
        end_asking(api, &failure);
        return;
    }
    struct api_call *c;
    LIST_FOREACH(c, &api->calls, link)
    {
        if (c->state == CALL_ASKING)
            send_call(c);
    }
}

static void ask_for_credentials(struct api_call *c)
{
    struct api *api = c->api;
    c->state = CALL_ASKING;
    if (api->is_refreshing)
        return;
    api->is_refreshing = true;
    credentials_refresh(api->session.credentials, on_credentials, api);
}

static void forget_answer(struct api_call *c)
{
    c->status = 0;
    c->retry_after_ms = -1;
    buf_reset(&c->answer);
    if (c->cut)
        jsoncut_init(c->cut, c->cut->members);
    c->is_cut = false;
    err_clear(&c->failure);
}

static void on_misleading(uv_timer_t *timer)
{
    struct api_call *c = timer->data;
    struct err err;
    (void)err_set(&err, ERR_INVALID, "a path with the segment . or .. is not sent");
    finish(c, &err);
}

static void send_call(struct api_call *c)
{
    struct api *api = c->api;
    if (c->is_misleading) {
        c->state = CALL_WAITING;
        timer_start(&c->timer, on_misleading, 0, 0);
        return;
    }
    if (!credentials_are_ready(api->session.credentials)) {
        ask_for_credentials(c);
        return;
    }
    const size_t n_own = c->headers.count;
    credentials_add(api->session.credentials, uv_now(api->session.loop), &c->headers);
    const struct http_params params = {
        .method = c->method,
        .url = c->url.data,
        .headers = &c->headers,
        .body = c->body,
        .body_len = c->body_len,
        .profile = c->kind == CALL_WATCH ? HTTP_WATCH : HTTP_SHORT,
        .timeout_ms = c->timeout_ms,
        .cap_bytes = c->cap_bytes,
        .new_connection = c->new_connection,
    };
    forget_answer(c);
    c->state = CALL_SENT;
    c->started_ms = uv_now(api->session.loop);
    c->last_byte_ms = c->started_ms;
    c->request = http_start(api->session.http, &params, &exchange_handler, c);
    http_headers_cut(&c->headers, n_own);
}

static void add_number(struct buf *url, const char *name, unsigned value)
{
    char text[16];
    (void)snprintf(text, sizeof text, "%u", value);
    (void)url_add_query(url, name, text);
}

/* The Accept header for an answer of one object, or for events of one object each. */
static const char *accept_of(bool metadata_only)
{
    return metadata_only ? "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
                         : "application/json";
}

/* ---- the calls ---- */

struct api_call *api_get(struct api *api, const struct api_get *get, api_on_reply *on_reply, void *user)
{
    struct api_call *c = new_call(api, CALL_REPLY, "GET", "GET", get->path);
    c->cap_bytes = get->cap_bytes ? get->cap_bytes : API_REPLY_CAP_BYTES;
    c->answer.cap_bytes = c->cap_bytes;
    if (get->unread) {
        c->cut = mem_zalloc(sizeof *c->cut);
        jsoncut_init(c->cut, get->unread);
        c->cap_bytes = 0;
    }
    c->timeout_ms = get->timeout_ms ? get->timeout_ms : API_TIMEOUT_MS;
    c->no_retry = get->no_retry;
    c->new_connection = get->new_connection;
    c->on_reply = on_reply;
    c->user = user;
    http_headers_add(&c->headers, "Accept", get->accept ? get->accept : "application/json");
    if (get->if_none_match && *get->if_none_match)
        http_headers_add(&c->headers, "If-None-Match", get->if_none_match);
    send_call(c);
    return c;
}

static struct api_call *start_write(struct api *api, const char *verb, const char *content_type, bool force,
                                    const struct api_write *write, api_on_reply *on_reply, void *user)
{
    struct api_call *c = new_call(api, CALL_REPLY, verb, verb, write->path);
    if (write->field_manager)
        (void)url_add_query(&c->url, "fieldManager", write->field_manager);
    if (force)
        (void)url_add_query(&c->url, "force", "true");
    c->body = mem_strndup(write->body, write->len);
    c->body_len = write->len;
    c->answer.cap_bytes = API_WRITE_REPLY_CAP_BYTES;
    c->needs_head = true;
    c->timeout_ms = write->timeout_ms ? write->timeout_ms : API_TIMEOUT_MS;
    c->no_retry = true;
    c->new_connection = write->new_connection;
    c->on_reply = on_reply;
    c->user = user;
    http_headers_add(&c->headers, "Accept", accept_of(write->metadata_only));
    http_headers_add(&c->headers, "Content-Type", content_type);
    send_call(c);
    return c;
}

struct api_call *api_apply(struct api *api, const struct api_write *write, api_on_reply *on_reply, void *user)
{
    return start_write(api, "PATCH", "application/apply-patch+yaml", write->force, write, on_reply, user);
}

struct api_call *api_create(struct api *api, const struct api_write *write, api_on_reply *on_reply,
                            void *user)
{
    return start_write(api, "POST", "application/json", false, write, on_reply, user);
}

struct api_call *api_put(struct api *api, const struct api_write *write, api_on_reply *on_reply, void *user)
{
    return start_write(api, "PUT", "application/json", false, write, on_reply, user);
}

struct api_call *api_list(struct api *api, const struct api_list *list,
                          const struct api_list_handler *handler, void *user)
{
    struct api_call *c = new_call(api, CALL_LIST, "LIST", "GET", list->path);
    if (list->limit)
        add_number(&c->url, "limit", list->limit);
    if (list->continue_token)
        (void)url_add_query(&c->url, "continue", list->continue_token);
    else if (list->resource_version)
        (void)url_add_query(&c->url, "resourceVersion", list->resource_version);
    listcut_init(&c->list, API_FRAME_CAP_BYTES);
    c->timeout_ms = API_LIST_TIMEOUT_MS;
    c->cap_bytes = API_LIST_CAP_BYTES;
    c->list_handler = handler;
    c->user = user;
    http_headers_add(&c->headers, "Accept",
                     list->metadata_only ? "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
                                         : "application/json");
    send_call(c);
    return c;
}

struct api_call *api_watch(struct api *api, const struct api_watch *watch,
                           const struct api_watch_handler *handler, void *user)
{
    struct api_call *c = new_call(api, CALL_WATCH, "WATCH", "GET", watch->path);
    (void)url_add_query(&c->url, "watch", "true");
    (void)url_add_query(&c->url, "allowWatchBookmarks", "true");
    if (watch->resource_version)
        (void)url_add_query(&c->url, "resourceVersion", watch->resource_version);
    if (watch->send_initial_events) {
        (void)url_add_query(&c->url, "sendInitialEvents", "true");
        (void)url_add_query(&c->url, "resourceVersionMatch", "NotOlderThan");
    }
    add_number(&c->url, "timeoutSeconds", watch->timeout_s);
    lines_init(&c->lines, API_FRAME_CAP_BYTES);
    c->watch_handler = handler;
    c->user = user;
    http_headers_add(&c->headers, "Accept", accept_of(watch->metadata_only));
    send_call(c);
    return c;
}

uint64_t api_last_byte_ms(const struct api_call *call)
{
    return call->last_byte_ms;
}

size_t api_held_bytes(const struct api_call *call)
{
    return call->answer.len;
}

void api_reset_connections(struct api *api, const char *why)
{
    http_reset(api->session.http, why);
}

uv_loop_t *api_loop(const struct api *api)
{
    return api->session.loop;
}

const char *api_server(const struct api *api)
{
    return api->session.config->server;
}
