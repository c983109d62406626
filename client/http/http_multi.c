#include "client/http/http_multi.h"

#include <stdlib.h>

#include "client/base/mem.h"
#include "client/base/timer.h"

/* A socket of curl's that the loop looks at. */
struct http_multi_watch {
    uv_poll_t poll;
    struct http_multi *multi;
    curl_socket_t fd;
    int wanted; /* the events of libuv that curl wants */
    int events; /* those that the loop looks for */
    LIST_ENTRY(http_multi_watch) link;
};

static bool is_held(const struct http_multi *m)
{
    return m->is_stopped || m->handler->is_held(m->user);
}

/* Hands out what is complete. */
static void collect(struct http_multi *m)
{
    CURLMsg *message;
    int left;
    while (!m->is_stopped && (message = curl_multi_info_read(m->curl, &left))) {
        const CURLcode code = message->data.result;
        if (message->msg == CURLMSG_DONE)
            m->handler->on_complete(m->user, message->easy_handle, code);
    }
}

/* ---- sockets ---- */

static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct http_multi_watch *w = poll->data;
    struct http_multi *m = w->multi;
    int running;
    if (is_held(m))
        return;
    int flags = status < 0 ? CURL_CSELECT_ERR : 0;
    flags |= events & UV_READABLE ? CURL_CSELECT_IN : 0;
    flags |= events & UV_WRITABLE ? CURL_CSELECT_OUT : 0;
    curl_multi_socket_action(m->curl, w->fd, flags, &running);
    collect(m);
}

static void on_watch_closed(uv_handle_t *handle)
{
    mem_free(handle->data);
}

static void watch_close(struct http_multi_watch *w)
{
    LIST_REMOVE(w, link);
    uv_poll_stop(&w->poll);
    uv_close((uv_handle_t *)&w->poll, on_watch_closed);
}

static struct http_multi_watch *watch_open(struct http_multi *m, curl_socket_t fd)
{
    struct http_multi_watch *w = mem_zalloc(sizeof *w);
    if (uv_poll_init_socket(m->loop, &w->poll, fd) != 0) {
        mem_free(w);
        return NULL;
    }
    w->poll.data = w;
    w->multi = m;
    w->fd = fd;
    LIST_INSERT_HEAD(&m->watches, w, link);
    curl_multi_assign(m->curl, fd, w);
    return w;
}

/* A failure is not reported to curl: it would never use the multi handle again. */
static int on_socket(CURL *easy, curl_socket_t fd, int what, void *user, void *socket_user)
{
    struct http_multi *m = user;
    struct http_multi_watch *w = socket_user;
    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        if (w) {
            curl_multi_assign(m->curl, fd, NULL);
            watch_close(w);
        }
        return 0;
    }
    if (!w)
        w = watch_open(m, fd);
    if (w)
        w->wanted = (what & CURL_POLL_IN ? UV_READABLE : 0) | (what & CURL_POLL_OUT ? UV_WRITABLE : 0);
    else
        m->handler->on_unwatched(m->user);
    return 0;
}

/* Called before the loop waits. curl changes its mind with each piece that it sends, and again within the
 * same turn; each uv_poll_start is two system calls. */
static void on_prepare(uv_prepare_t *prepare)
{
    struct http_multi *m = prepare->data;
    struct http_multi_watch *w;
    LIST_FOREACH(w, &m->watches, link)
    {
        if (w->wanted == w->events)
            continue;
        w->events = w->wanted;
        if (uv_poll_start(&w->poll, w->wanted, on_poll) != 0)
            m->handler->on_unwatched(m->user);
    }
}

/* ---- the timer ---- */

static void on_timer_due(uv_timer_t *timer)
{
    http_multi_kick(timer->data);
}

/* -1 means none at all; 0 means soon, but not from here, and not before the loop has polled. */
static int on_timer(CURLM *curl, long timeout_ms, void *user)
{
    struct http_multi *m = user;
    (void)curl;
    if (timeout_ms < 0 || m->is_stopped)
        uv_timer_stop(&m->timer);
    else
        timer_start(&m->timer, on_timer_due, (uint64_t)timeout_ms, 0);
    return 0;
}

void http_multi_kick(struct http_multi *m)
{
    int running;
    if (is_held(m))
        return;
    curl_multi_socket_action(m->curl, CURL_SOCKET_TIMEOUT, 0, &running);
    collect(m);
}

/* ---- curl's handles ---- */

static CURLM *new_curl(struct http_multi *m)
{
    CURLM *curl = curl_multi_init();
    if (!curl)
        return NULL;
    curl_multi_setopt(curl, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(curl, CURLMOPT_SOCKETDATA, m);
    curl_multi_setopt(curl, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(curl, CURLMOPT_TIMERDATA, m);
    curl_multi_setopt(curl, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
    return curl;
}

static void drop_curl(struct http_multi *m)
{
    while (!LIST_EMPTY(&m->watches)) {
        /* The loop must not look at a closed socket, and curl closes it below. */
        struct http_multi_watch *w = LIST_FIRST(&m->watches);
        curl_multi_assign(m->curl, w->fd, NULL);
        watch_close(w);
    }
    curl_multi_cleanup(m->curl);
    m->curl = NULL;
    uv_timer_stop(&m->timer);
}

int http_multi_init(struct http_multi *m, uv_loop_t *loop, const struct http_multi_handler *handler,
                    void *user, struct err *err)
{
    /* curl would write the keys of every connection to the file that it names */
    (void)unsetenv("SSLKEYLOGFILE");
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return err_set(err, ERR_INTERNAL, "libcurl cannot be initialised");
    *m = (struct http_multi){.loop = loop, .handler = handler, .user = user};
    m->curl = new_curl(m);
    if (!m->curl) {
        curl_global_cleanup();
        return err_set(err, ERR_INTERNAL, "libcurl has no multi handle");
    }
    LIST_INIT(&m->watches);
    uv_timer_init(loop, &m->timer);
    uv_prepare_init(loop, &m->prepare);
    uv_prepare_start(&m->prepare, on_prepare);
    uv_unref((uv_handle_t *)&m->prepare);
    m->timer.data = m;
    m->prepare.data = m;
    m->open_handles = 2;
    return 0;
}

void http_multi_stop(struct http_multi *m)
{
    m->is_stopped = true;
}

static void on_handle_closed(uv_handle_t *handle)
{
    struct http_multi *m = handle->data;
    if (--m->open_handles > 0)
        return;
    curl_global_cleanup();
    m->on_closed(m->user);
}

void http_multi_close(struct http_multi *m, void (*on_closed)(void *user))
{
    m->is_stopped = true;
    m->on_closed = on_closed;
    drop_curl(m);
    uv_close((uv_handle_t *)&m->timer, on_handle_closed);
    uv_close((uv_handle_t *)&m->prepare, on_handle_closed);
}

void http_multi_renew(struct http_multi *m)
{
    drop_curl(m);
    m->curl = new_curl(m);
}

int http_multi_add(struct http_multi *m, CURL *easy, struct err *err)
{
    const CURLMcode code = curl_multi_add_handle(m->curl, easy);
    return code == CURLM_OK ? 0 : err_set(err, ERR_INTERNAL, "%s", curl_multi_strerror(code));
}

void http_multi_remove(struct http_multi *m, CURL *easy)
{
    if (m->curl)
        curl_multi_remove_handle(m->curl, easy);
}
