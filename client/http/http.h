/*
 * http: HTTP requests on the libuv loop (libcurl's multi interface, one thread).
 *
 * A struct http is a pool of connections that share one TLS identity. It knows
 * nothing of Kubernetes: the URL and the headers come from the caller (api.h).
 *
 * A request calls on_head once, on_data any number of times, and on_done exactly
 * once. None of these is called before http_start has returned. The handle is
 * valid until on_done begins or http_cancel returns; after http_cancel nothing
 * more is called. A callback may start requests, and may cancel any request, its
 * own as well.
 *
 *     struct http_params p = {.method = "GET", .url = url, .profile = HTTP_SHORT,
 *                             .timeout_ms = 30000, .cap_bytes = 1 << 20};
 *     struct http_request *r = http_start(http, &p, &handler, op);
 */
#ifndef CLIENT_HTTP_HTTP_H
#define CLIENT_HTTP_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "client/base/err.h"
#include "client/http/http_exchange.h"

struct http;
struct http_request;
struct tls;

struct http_options {
    const struct tls *tls; /* borrowed for the life of the http; NULL: plain http:// only */
    /* The proxy, "" for none; NULL for that of the environment (HTTPS_PROXY, NO_PROXY). */
    const char *proxy_url;
    const char *user_agent;
    const char *basic_auth;   /* "user:password" or NULL */
    bool disable_compression; /* else gzip is asked for, but of a watch */
    /* Returns how many ms from now requests may still be under way; NULL: without a limit. It is called
     * immediately before a request is handed to curl, and before curl continues one. A write, and the opening
     * of a connection, get a time limit below this. 0: all requests, the queued ones as well, fail. */
    uint64_t (*left_ms)(void *user);
    void *user;
};

/* The caller closes it with http_close. The options are copied, but for tls and user, which must outlive it.
 * Errors: INTERNAL, INVALID (proxy). */
int http_new(uv_loop_t *loop, const struct http_options *options, struct http **out,
             struct err *err) MUST_CHECK;

/* Cancels every request without a callback and calls on_closed (may be NULL) once the last
 * uv handle is closed; http is freed then. */
void http_close(struct http *http, void (*on_closed)(void *user), void *user);

/* Never fails here: a request that cannot be started ends in on_done. handler must be static or outlive the
 * request. */
struct http_request *http_start(struct http *http, const struct http_params *params,
                                const struct http_handler *handler, void *user);

/* Ends the request, which may be NULL. */
void http_cancel(struct http_request *request);

/* Closes every connection: requests under way end with ERR_NETWORK and `why`, and the next request makes a
 * new connection. Use it when a peer is dead or a TLS identity changed. */
void http_reset(struct http *http, const char *why);

#endif
