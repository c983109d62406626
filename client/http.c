/* How curl's multi interface and the loop meet:
 *
 *   curl tells us which sockets to watch (on_socket) and when to wake it (on_timer); we tell it
 *   what happened (curl_multi_socket_action), and then collect what is complete.
 *
 * Within curl's callbacks nothing may change the multi handle. So http_start, http_cancel and
 * http_reset only leave a note, and the idle handle (active only while there are notes) acts on
 * them from the loop. */
#include "client/http.h"

#include <curl/curl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "client/httphead.h"
#include "client/mem.h"
#include "client/tls.h"
#include "client/url.h"

/* QUEUED -> RUNNING -> (freed); either -> CANCELED -> (freed); RUNNING -> QUEUED, once: patience ends. */
enum request_state { REQUEST_QUEUED, REQUEST_RUNNING, REQUEST_CANCELED };

struct http_request {
    struct http *http;
    struct http_request *prev;
    struct http_request *next;
    enum request_state state;
    const struct http_handler *handler;
    void *user;
    CURL *easy;
    struct curl_slist *headers;
    struct curl_slist *connect_to;
    size_t cap_bytes;
    size_t body_bytes;
    size_t header_bytes;
    uint64_t write_timeout_ms; /* 0: it is no write */
    bool has_head;             /* on_head was called */
    bool is_patient;           /* may wait for another request's connection, which may become one for both */
    curl_socket_t fd;          /* opened last for it, maybe closed since; -1: none */
    uint64_t started_ms;
    uint64_t handshake_ms; /* when TCP was seen to be connected; 0: not yet */
    struct httphead head;
    bool was_refused;   /* by the handler */
    struct err failure; /* ours; wins over curl's */
    char curl_message[CURL_ERROR_SIZE];
};

struct http {
    uv_loop_t *loop;
    const struct tls *tls;
    char *proxy_url;
    char *user_agent;
    char *basic_auth;
    bool disable_compression;
    uint64_t (*left_ms)(void *user);
    void *left_user;
    CURLM *multi;
    uv_timer_t timer;
    uv_timer_t handshakes; /* runs while a request has no head */
    uv_idle_t idle;
    struct http_request *requests; /* all that are not freed */
    struct watch *watches;         /* a socket each */
    char *reset_why;               /* a reset is noted */
    uint64_t connections;
    unsigned open_handles;
    bool is_closing;
    void (*on_closed)(void *user);
    void *on_closed_user;
};

/* A socket of curl's that the loop looks at. */
struct watch {
    uv_poll_t poll;
    struct http *http;
    curl_socket_t fd;
    struct watch *prev;
    struct watch *next;
};

static void on_idle(uv_idle_t *idle);

static void note(struct http *http)
{
    if (!uv_is_active((const uv_handle_t *)&http->idle))
        uv_idle_start(&http->idle, on_idle);
}

/* ---- requests ---- */

static void request_free(struct http_request *r)
{
    struct http *http = r->http;
    if (r->prev)
        r->prev->next = r->next;
    else
        http->requests = r->next;
    if (r->next)
        r->next->prev = r->prev;
    if (r->easy) {
        if (r->state != REQUEST_QUEUED && http->multi)
            curl_multi_remove_handle(http->multi, r->easy);
        curl_easy_cleanup(r->easy);
    }
    curl_slist_free_all(r->headers);
    curl_slist_free_all(r->connect_to);
    httphead_deinit(&r->head);
    mem_free(r);
}

/* The one way a request ends with a callback, which is the last thing that happens. */
static void request_finish(struct http_request *r, const struct err *err)
{
    const struct http_handler *handler = r->handler;
    void *user = r->user;
    struct err copy;
    err_copy(&copy, err);
    request_free(r);
    handler->on_done(user, err ? &copy : NULL);
}

static enum err_code code_of_curl(CURLcode code)
{
    switch ((int)code) {
    case CURLE_OPERATION_TIMEDOUT:
        return ERR_TIMEOUT;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_PROXY:
        return ERR_NETWORK;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_CLIENTCERT:
        return ERR_TLS;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
        return ERR_INVALID;
    case CURLE_OUT_OF_MEMORY:
        return ERR_INTERNAL;
    default:
        return ERR_PROTOCOL;
    }
}

/* Calls on_head once the head is complete. Returns -1 if the handler refused. */
static int give_head(struct http_request *r)
{
    long status = 0;
    if (r->has_head)
        return 0;
    r->has_head = true;
    (void)curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &status);
    const struct http_head head = {
        .status = (int)status,
        .retry_after_ms = r->head.retry_after_ms,
        .etag = r->head.etag ? r->head.etag : "",
        .content_type = r->head.content_type ? r->head.content_type : "",
        .warning = r->head.warning ? r->head.warning : "",
    };
    if (!r->handler->on_head || r->handler->on_head(r->user, &head) == 0)
        return 0;
    r->was_refused = true;
    return -1;
}

/* ---- curl's callbacks: they note and hand out, and never touch the multi handle ---- */

static size_t on_header_line(char *line, size_t size, size_t count, void *user)
{
    struct http_request *r = user;
    const size_t len = size * count;
    if (r->state == REQUEST_CANCELED)
        return 0;
    r->header_bytes += len;
    if (r->header_bytes > HTTP_HEADER_CAP_BYTES) {
        (void)err_set(&r->failure, ERR_LIMIT, "headers of more than %d bytes", HTTP_HEADER_CAP_BYTES);
        return 0;
    }
    if (!r->has_head)
        httphead_line(&r->head, line, len, time(NULL));
    if (r->has_head || len > 2 || strspn(line, "\r\n") < len)
        return len;
    long status = 0;
    (void)curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &status);
    /* 1xx: the real head is still to come. */
    if (status >= 200 && give_head(r) != 0)
        return 0;
    return len;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *user)
{
    struct http_request *r = user;
    const size_t len = size * count;
    if (r->state == REQUEST_CANCELED)
        return CURL_WRITEFUNC_ERROR;
    if (give_head(r) != 0)
        return CURL_WRITEFUNC_ERROR;
    if (r->state == REQUEST_CANCELED)
        return CURL_WRITEFUNC_ERROR;
    r->body_bytes += len;
    if (r->cap_bytes && r->body_bytes > r->cap_bytes) {
        (void)err_set(&r->failure, ERR_LIMIT, "an answer of more than %zu bytes", r->cap_bytes);
        return CURL_WRITEFUNC_ERROR;
    }
    if (!r->handler->on_data || r->handler->on_data(r->user, bytes, len) == 0)
        return len;
    r->was_refused = true;
    return CURL_WRITEFUNC_ERROR;
}

/* A dead peer must be noticed within HTTP_USER_TIMEOUT_MS, whether we are sending or waiting. */
static int on_socket_made(void *user, curl_socket_t fd, curlsocktype purpose)
{
    struct http_request *r = user;
    if (purpose != CURLSOCKTYPE_IPCXN)
        return CURL_SOCKOPT_OK;
    const int probes = HTTP_KEEPALIVE_PROBES;
    const unsigned timeout_ms = HTTP_USER_TIMEOUT_MS;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout_ms, sizeof timeout_ms);
    r->fd = fd;
    r->http->connections++;
    return CURL_SOCKOPT_OK;
}

static void collect(struct http *http);

static uint64_t left_ms(const struct http *http)
{
    return http->left_ms ? http->left_ms(http->left_user) : UINT64_MAX;
}

/* Whether curl has to keep still: what it holds, perhaps since before the process was paused, is
 * dropped first. */
static bool is_held(struct http *http)
{
    if (!http->is_closing && left_ms(http) == 0)
        http_reset(http, "no request may be under way any more");
    return http->is_closing || http->reset_why;
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct watch *w = poll->data;
    struct http *http = w->http;
    int running;
    if (is_held(http))
        return;
    int flags = status < 0 ? CURL_CSELECT_ERR : 0;
    flags |= events & UV_READABLE ? CURL_CSELECT_IN : 0;
    flags |= events & UV_WRITABLE ? CURL_CSELECT_OUT : 0;
    curl_multi_socket_action(http->multi, w->fd, flags, &running);
    collect(http);
}

static void on_watch_closed(uv_handle_t *handle)
{
    mem_free(handle->data);
}

static void watch_close(struct watch *w)
{
    if (w->prev)
        w->prev->next = w->next;
    else
        w->http->watches = w->next;
    if (w->next)
        w->next->prev = w->prev;
    uv_poll_stop(&w->poll);
    uv_close((uv_handle_t *)&w->poll, on_watch_closed);
}

static struct watch *watch_open(struct http *http, curl_socket_t fd)
{
    struct watch *w = mem_zalloc(sizeof *w);
    if (uv_poll_init_socket(http->loop, &w->poll, fd) != 0) {
        mem_free(w);
        return NULL;
    }
    w->poll.data = w;
    w->http = http;
    w->fd = fd;
    w->next = http->watches;
    if (w->next)
        w->next->prev = w;
    http->watches = w;
    curl_multi_assign(http->multi, fd, w);
    return w;
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *user, void *socket_user)
{
    struct http *http = user;
    struct watch *w = socket_user;
    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        if (w) {
            curl_multi_assign(http->multi, fd, NULL);
            watch_close(w);
        }
        return 0;
    }
    if (!w)
        w = watch_open(http, fd);
    if (!w)
        return -1;
    const int events = (what & CURL_POLL_IN ? UV_READABLE : 0) | (what & CURL_POLL_OUT ? UV_WRITABLE : 0);
    return uv_poll_start(&w->poll, events, on_poll) == 0 ? 0 : -1;
}

static void on_timer_due(uv_timer_t *timer)
{
    struct http *http = timer->data;
    int running;
    if (is_held(http))
        return;
    curl_multi_socket_action(http->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    collect(http);
}

/* -1 means none at all; 0 means soon, but not from here. */
static int on_timer(CURLM *multi, long timeout_ms, void *user)
{
    struct http *http = user;
    (void)multi;
    if (timeout_ms < 0 || http->is_closing)
        uv_timer_stop(&http->timer);
    else
        uv_timer_start(&http->timer, on_timer_due, (uint64_t)timeout_ms, 0);
    return 0;
}

/* ---- between curl and the requests ---- */

static void complete(struct http_request *r, CURLcode code)
{
    struct err err;
    if (r->state == REQUEST_CANCELED) {
        request_free(r);
        return;
    }
    if (r->failure.code != ERR_NONE) {
        err_copy(&err, &r->failure);
    } else if (r->was_refused) {
        (void)err_set(&err, ERR_CANCELED, "the answer was refused");
    } else if (code != CURLE_OK) {
        (void)err_set(&err, code_of_curl(code), "%s",
                      r->curl_message[0] ? r->curl_message : curl_easy_strerror(code));
    } else if (!r->has_head) {
        /* curl is content with a head that was cut; we are not. */
        (void)err_set(&err, ERR_NETWORK, "the connection ended within the head of the answer");
    } else {
        request_finish(r, NULL);
        return;
    }
    request_finish(r, &err);
}

static void collect(struct http *http)
{
    CURLMsg *message;
    int left;
    while (!http->is_closing && (message = curl_multi_info_read(http->multi, &left))) {
        struct http_request *r = NULL;
        const CURLcode code = message->data.result;
        if (message->msg != CURLMSG_DONE)
            continue;
        (void)curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&r);
        complete(r, code);
    }
}

/* ---- handshakes: curl has one limit for all of connecting ---- */

enum { HANDSHAKE_LOOK_MS = 1000 };

/* One that it can use: the request goes out. */
static bool has_connection(const struct http_request *r)
{
    curl_off_t ready_us = 0;
    (void)curl_easy_getinfo(r->easy, CURLINFO_PRETRANSFER_TIME_T, &ready_us);
    return ready_us > 0;
}

/* TCP is connected, and what lies above it is not. (curl tells the first only with the second.) */
static bool is_in_handshake(const struct http_request *r)
{
    struct tcp_info info;
    socklen_t len = sizeof info;
    return !has_connection(r) && r->fd >= 0 && getsockopt(r->fd, SOL_TCP, TCP_INFO, &info, &len) == 0 &&
           info.tcpi_state == TCP_ESTABLISHED;
}

static bool has_stalled(struct http_request *r)
{
    const uint64_t now_ms = uv_now(r->http->loop);
    if (!is_in_handshake(r))
        return false;
    if (r->handshake_ms == 0)
        r->handshake_ms = now_ms;
    return now_ms - r->handshake_ms >= HTTP_HANDSHAKE_TIMEOUT_MS;
}

/* With a server of HTTP/1.1 curl lets who waits for a connection wait for its request's end; that of
 * a watch never comes. */
static void end_patience(struct http_request *r)
{
    const uint64_t now_ms = uv_now(r->http->loop);
    if (!r->is_patient || r->fd >= 0 || has_connection(r) || now_ms - r->started_ms < HTTP_PATIENCE_MS)
        return;
    r->is_patient = false;
    curl_multi_remove_handle(r->http->multi, r->easy);
    curl_easy_setopt(r->easy, CURLOPT_PIPEWAIT, 0L);
    r->state = REQUEST_QUEUED;
    note(r->http);
}

static void on_handshake_look(uv_timer_t *timer)
{
    struct http *http = timer->data;
    bool is_waiting = false;
    for (struct http_request *r = http->requests; r && !http->is_closing;) {
        const bool is_open = r->state == REQUEST_RUNNING && !r->has_head;
        is_waiting = is_waiting || is_open;
        if (!is_open || !has_stalled(r)) {
            if (is_open)
                end_patience(r);
            r = r->next;
            continue;
        }
        struct err err;
        (void)err_set(&err, ERR_TIMEOUT, "no end of the handshake within %d s",
                      HTTP_HANDSHAKE_TIMEOUT_MS / 1000);
        request_finish(r, &err);
        r = http->requests; /* the callback may have changed the list */
    }
    if (!is_waiting)
        uv_timer_stop(timer);
}

static CURLM *new_multi(struct http *http)
{
    CURLM *multi = curl_multi_init();
    if (!multi)
        return NULL;
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, http);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, http);
    curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
    return multi;
}

static void drop_multi(struct http *http)
{
    for (struct http_request *r = http->requests; r; r = r->next) {
        if (r->state != REQUEST_QUEUED)
            curl_multi_remove_handle(http->multi, r->easy);
    }
    while (http->watches) {
        /* Before curl closes the socket: the loop must not look at a closed one. */
        curl_multi_assign(http->multi, http->watches->fd, NULL);
        watch_close(http->watches);
    }
    curl_multi_cleanup(http->multi);
    http->multi = NULL;
    uv_timer_stop(&http->timer);
}

/* Every running request fails; what was queued goes out on the new connections. */
static void act_on_reset(struct http *http)
{
    struct err err;
    (void)err_set(&err, ERR_NETWORK, "connection closed: %s", http->reset_why);
    mem_free(http->reset_why);
    http->reset_why = NULL;
    drop_multi(http);
    http->multi = new_multi(http);
    for (struct http_request *r = http->requests; r; r = r->next) {
        if (r->state == REQUEST_RUNNING)
            r->failure = err;
    }
    for (struct http_request *r = http->requests; r && !http->is_closing;) {
        if (r->state != REQUEST_RUNNING || r->failure.code == ERR_NONE) {
            r = r->next;
            continue;
        }
        request_finish(r, &err);
        r = http->requests; /* the callback may have changed the list */
    }
}

static void act_on_canceled(struct http *http)
{
    for (struct http_request *r = http->requests; r;) {
        struct http_request *next = r->next;
        if (r->state == REQUEST_CANCELED)
            request_free(r);
        r = next;
    }
}

/* Its limits become less than what is left. */
static void keep_within(struct http_request *r, uint64_t left)
{
    if (left <= 1) {
        (void)err_set(&r->failure, ERR_CANCELED, "no request may begin any more");
        return;
    }
    if (left <= HTTP_CONNECT_TIMEOUT_MS)
        curl_easy_setopt(r->easy, CURLOPT_CONNECTTIMEOUT_MS, (long)(left - 1));
    if (left <= r->write_timeout_ms)
        curl_easy_setopt(r->easy, CURLOPT_TIMEOUT_MS, (long)(left - 1));
}

static void act_on_queued(struct http *http)
{
    for (struct http_request *r = http->requests; r && !http->is_closing;) {
        if (r->state != REQUEST_QUEUED) {
            r = r->next;
            continue;
        }
        if (r->failure.code == ERR_NONE)
            keep_within(r, left_ms(http));
        if (r->failure.code == ERR_NONE) {
            const CURLMcode code = curl_multi_add_handle(http->multi, r->easy);
            if (code == CURLM_OK) {
                r->state = REQUEST_RUNNING;
                r->started_ms = uv_now(http->loop);
                if (!uv_is_active((const uv_handle_t *)&http->handshakes))
                    uv_timer_start(&http->handshakes, on_handshake_look, HANDSHAKE_LOOK_MS,
                                   HANDSHAKE_LOOK_MS);
                r = r->next;
                continue;
            }
            (void)err_set(&r->failure, ERR_INTERNAL, "%s", curl_multi_strerror(code));
        }
        const struct err failure = r->failure;
        request_finish(r, &failure);
        r = http->requests;
    }
}

static void on_handle_closed(uv_handle_t *handle)
{
    struct http *http = handle->data;
    if (--http->open_handles > 0)
        return;
    void (*on_closed)(void *) = http->on_closed;
    void *user = http->on_closed_user;
    mem_free(http->proxy_url);
    mem_free(http->user_agent);
    if (http->basic_auth)
        mem_wipe(http->basic_auth, strlen(http->basic_auth));
    mem_free(http->basic_auth);
    mem_free(http->reset_why);
    mem_free(http);
    curl_global_cleanup();
    if (on_closed)
        on_closed(user);
}

static void act_on_closing(struct http *http)
{
    drop_multi(http);
    while (http->requests)
        request_free(http->requests);
    uv_close((uv_handle_t *)&http->timer, on_handle_closed);
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
        act_on_queued(http);
    /* what was added is sent now, not once the timer was looked at, after the turn's other work */
    if (!http->is_closing)
        on_timer_due(&http->timer);
    if (http->is_closing && http->multi)
        act_on_closing(http);
}

/* ---- the interface ---- */

void http_headers_add(struct http_headers *headers, const char *name, const char *value)
{
    for (const char *p = value; *p; p++) {
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            return;
    }
    headers->lines = mem_realloc(headers->lines, headers->count + 1, sizeof(char *));
    headers->lines[headers->count++] = mem_printf("%s: %s", name, value);
}

void http_headers_deinit(struct http_headers *headers)
{
    for (size_t i = 0; i < headers->count; i++) {
        mem_wipe(headers->lines[i], strlen(headers->lines[i]));
        mem_free(headers->lines[i]);
    }
    mem_free(headers->lines);
    *headers = (struct http_headers){0};
}

int http_new(uv_loop_t *loop, const struct http_options *options, struct http **out, struct err *err)
{
    *out = NULL;
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return err_set(err, ERR_INTERNAL, "libcurl does not start");
    struct http *http = mem_zalloc(sizeof *http);
    http->multi = new_multi(http);
    if (!http->multi) {
        mem_free(http);
        curl_global_cleanup();
        return err_set(err, ERR_INTERNAL, "libcurl has no multi handle");
    }
    http->loop = loop;
    http->tls = options->tls;
    http->proxy_url = mem_strdup_or_null(options->proxy_url);
    http->user_agent = mem_strdup_or_null(options->user_agent);
    http->basic_auth = mem_strdup_or_null(options->basic_auth);
    http->disable_compression = options->disable_compression;
    http->left_ms = options->left_ms;
    http->left_user = options->user;
    uv_timer_init(loop, &http->timer);
    uv_timer_init(loop, &http->handshakes);
    uv_idle_init(loop, &http->idle);
    http->timer.data = http;
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
    for (struct http_request *r = http->requests; r; r = r->next) {
        if (r->state == REQUEST_RUNNING)
            r->state = REQUEST_CANCELED;
    }
    note(http);
}

static void add_header(struct http_request *r, const char *line)
{
    struct curl_slist *more = curl_slist_append(r->headers, line);
    if (more)
        r->headers = more;
    else
        (void)err_set(&r->failure, ERR_INTERNAL, "no memory for a header");
}

/* A different name for the certificate: the URL gets that name, the connection goes to the real
 * host all the same, and so does the Host header. */
static void set_url(struct http_request *r, const char *url)
{
    const char *name = r->http->tls ? tls_server_name(r->http->tls) : NULL;
    struct url_renamed renamed;
    if (!name || !url_rename(url, name, &renamed)) {
        curl_easy_setopt(r->easy, CURLOPT_URL, url);
        return;
    }
    add_header(r, renamed.host_header);
    r->connect_to = curl_slist_append(NULL, renamed.connect_to);
    curl_easy_setopt(r->easy, CURLOPT_URL, renamed.url);
    curl_easy_setopt(r->easy, CURLOPT_CONNECT_TO, r->connect_to);
    url_renamed_deinit(&renamed);
}

static void set_connection(struct http_request *r, const struct http_params *p)
{
    CURL *easy = r->easy;
    struct http *http = r->http;
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    r->is_patient = !p->new_connection && strncmp(p->url, "https:", 6) == 0;
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, r->is_patient ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, p->new_connection ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, p->new_connection ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)HTTP_CONNECT_TIMEOUT_MS);
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPIDLE, (long)HTTP_KEEPALIVE_IDLE_S);
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPINTVL, (long)HTTP_KEEPALIVE_EVERY_S);
    curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, on_socket_made);
    curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, r);
    if (http->proxy_url)
        curl_easy_setopt(easy, CURLOPT_PROXY, http->proxy_url);
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    if (p->profile == HTTP_SHORT)
        curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)p->timeout_ms);
    if (http->tls && r->failure.code == ERR_NONE && tls_apply(http->tls, easy, &r->failure) != 0)
        return; /* the failure is told from the loop, as every other */
}

static void set_request(struct http_request *r, const struct http_params *p)
{
    CURL *easy = r->easy;
    const struct http *http = r->http;
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, p->method);
    if (p->body) {
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)p->body_len);
        curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, p->body);
        add_header(r, "Expect:");
    }
    for (size_t i = 0; p->headers && i < p->headers->count; i++)
        add_header(r, p->headers->lines[i]);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, r->headers);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, http->user_agent);
    if (http->basic_auth) {
        curl_easy_setopt(easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
        curl_easy_setopt(easy, CURLOPT_USERPWD, http->basic_auth);
    }
    if (!http->disable_compression)
        curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header_line);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, r);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, r);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, r);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, r->curl_message);
}

struct http_request *http_start(struct http *http, const struct http_params *params,
                                const struct http_handler *handler, void *user)
{
    struct http_request *r = mem_zalloc(sizeof *r);
    r->http = http;
    r->handler = handler;
    r->user = user;
    r->cap_bytes = params->cap_bytes;
    r->write_timeout_ms = strcmp(params->method, "GET") != 0 ? params->timeout_ms : 0;
    r->fd = -1;
    httphead_init(&r->head);
    r->easy = curl_easy_init();
    if (r->easy) {
        set_url(r, params->url);
        set_connection(r, params);
        set_request(r, params);
    } else {
        (void)err_set(&r->failure, ERR_INTERNAL, "libcurl has no easy handle");
    }
    r->next = http->requests;
    if (r->next)
        r->next->prev = r;
    http->requests = r;
    note(http);
    return r;
}

void http_cancel(struct http_request *request)
{
    if (!request)
        return;
    if (request->state == REQUEST_QUEUED) {
        /* curl has not seen it. */
        request_free(request);
        return;
    }
    request->state = REQUEST_CANCELED;
    note(request->http);
}

void http_reset(struct http *http, const char *why)
{
    if (http->reset_why || http->is_closing)
        return;
    http->reset_why = mem_strdup(why);
    note(http);
}

uint64_t http_connection_count(const struct http *http)
{
    return http->connections;
}
