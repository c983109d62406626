/*
 * http_multi: libcurl's multi interface on the libuv loop. Internal to http.
 *
 * curl asks for sockets to be watched and for a timer. When the loop reports an
 * event, it is passed to curl; then on_complete is called for each easy handle
 * that is complete. Embedded by its owner, which frees its memory after on_closed.
 * The easy handles belong to the caller. Everything is on the loop's thread.
 *
 * Neither the handler nor a callback of an easy handle may call what changes
 * the multi handle (add, remove, renew, kick, close) while curl is at work;
 * on_complete, which comes after that, may remove.
 *
 *     http_multi_init(&m, loop, &handler, user, &err);
 *     http_multi_add(&m, easy, &err); http_multi_kick(&m); ...
 */
#ifndef CLIENT_HTTP_HTTP_MULTI_H
#define CLIENT_HTTP_HTTP_MULTI_H

#include <curl/curl.h>
#include <stdbool.h>
#include <sys/queue.h>
#include <uv.h>

#include "client/base/err.h"

/* is_held: called before each event is passed to curl; true: the event is dropped. on_complete: this easy
 * handle is done. on_unwatched: a socket cannot be watched, so its requests would hang; the owner must call
 * http_multi_renew, but later, not from this callback. */
struct http_multi_handler {
    bool (*is_held)(void *user);
    void (*on_complete)(void *user, CURL *easy, CURLcode code);
    void (*on_unwatched)(void *user);
};

struct http_multi_watch;

struct http_multi {
    uv_loop_t *loop;
    const struct http_multi_handler *handler; /* static */
    void *user;
    CURLM *curl; /* curl's handle; NULL if it is closed, or curl had no memory for a new one */
    uv_timer_t timer;
    uv_prepare_t prepare; /* before the loop waits: tells libuv for which events curl waits */
    unsigned open_handles;
    LIST_HEAD(http_multi_watches, http_multi_watch) watches; /* one for each socket that curl uses */
    bool is_stopped;
    void (*on_closed)(void *user);
};

/* The caller closes m with http_multi_close, and handler and user must be valid until then. Errors: INTERNAL;
 * then there is nothing to close. */
int http_multi_init(struct http_multi *m, uv_loop_t *loop, const struct http_multi_handler *handler,
                    void *user, struct err *err) MUST_CHECK;

/* The handler is not called any more. May be called from anywhere. */
void http_multi_stop(struct http_multi *m);

/* Stops, closes every connection, and calls on_closed once its handles are closed. The caller
 * must remove the easy handles before this call, and clean them up before on_closed. */
void http_multi_close(struct http_multi *m, void (*on_closed)(void *user));

/* Closes every connection; the next request opens a new one. The caller must
 * remove the easy handles before. */
void http_multi_renew(struct http_multi *m);

/* The easy handle's transfer begins with the next kick, or soon. Errors: INTERNAL. */
int http_multi_add(struct http_multi *m, CURL *easy, struct err *err) MUST_CHECK;

/* A handle that was not added, or is removed already, is fine. */
void http_multi_remove(struct http_multi *m, CURL *easy);

/* Lets curl begin new transfers, and handle timeouts that are over, at once instead of at its next timer. */
void http_multi_kick(struct http_multi *m);

#endif
