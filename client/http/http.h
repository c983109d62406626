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

struct http;
struct http_request;
struct tls;

enum {
    HTTP_CONNECT_TIMEOUT_MS = 30000,   /* resolving, TCP, TLS */
    HTTP_HANDSHAKE_TIMEOUT_MS = 10000, /* of these TLS, and a proxy's CONNECT */
    HTTP_PATIENCE_MS = 2000,           /* for a connection that another request opens */
    HTTP_KEEPALIVE_IDLE_S = 30,
    HTTP_KEEPALIVE_EVERY_S = 5,
    HTTP_KEEPALIVE_PROBES = 3,
    HTTP_USER_TIMEOUT_MS = 45000,
    HTTP_HEADER_CAP_BYTES = 64 * 1024,
};

/* HTTP_WATCH has no total timeout; a dead peer is noticed by TCP (see the constants). */
enum http_profile { HTTP_SHORT, HTTP_WATCH };

struct http_options {
    const struct tls *tls; /* borrowed for the life of the http; NULL: plain http:// only */
    const char *proxy_url; /* NULL: as the environment says (HTTPS_PROXY, NO_PROXY); "": none */
    const char *user_agent;
    const char *basic_auth;   /* "user:password" or NULL */
    bool disable_compression; /* else gzip is asked for, but of a watch */
    /* For how many ms from now requests may be under way; NULL: without a limit. It is called immediately
     * before a request is handed to curl, and before curl continues one. A write, and the opening of a
     * connection, get a time limit below this. 0: all requests, the queued ones as well, fail. */
    uint64_t (*left_ms)(void *user);
    void *user;
};

/* Lines "Name: value". Embedded; zeroed is empty. */
struct http_headers {
    char **lines;
    size_t count;
};

struct http_params {
    const char *method; /* all borrowed for the call */
    const char *url;
    const struct http_headers *headers; /* may be NULL */
    const char *body;
    size_t body_len;
    enum http_profile profile;
    uint64_t timeout_ms; /* HTTP_SHORT: of the whole request */
    size_t cap_bytes;    /* of the decoded body; 0: no cap (the handler counts) */
    bool new_connection; /* do not reuse one: for the probe of a silent peer */
};

struct http_head {
    int status;
    int retry_after_ms; /* as httphead's */
    const char *etag;   /* "" if none; borrowed for the callback */
    const char *content_type;
    const char *warning; /* the API server's Warning header, "" if none */
};

/* on_head and on_data return 0, or -1 to end the request with ERR_CANCELED: on_done still
 * comes, and *err may be replaced by the handler's own there. err is NULL on success (any
 * status is a success here) and borrowed for the call. */
struct http_handler {
    int (*on_head)(void *user, const struct http_head *head);
    int (*on_data)(void *user, const char *bytes, size_t len);
    void (*on_done)(void *user, const struct err *err);
};

/* A line with a control character in it is left out. */
void http_headers_add(struct http_headers *headers, const char *name, const char *value);
/* Both wipe what goes: it may be a token. cut leaves the first count lines. */
void http_headers_cut(struct http_headers *headers, size_t count);
void http_headers_deinit(struct http_headers *headers);

/* Caller closes with http_close. Errors: INTERNAL, INVALID (proxy). */
int http_new(uv_loop_t *loop, const struct http_options *options, struct http **out,
             struct err *err) MUST_CHECK;

/* Cancels every request without a callback and calls on_closed (may be NULL) once the last
 * uv handle is closed; http is freed then. */
void http_close(struct http *http, void (*on_closed)(void *user), void *user);

/* Never fails here: what cannot be started ends in on_done. handler must be static or outlive
 * the request. */
struct http_request *http_start(struct http *http, const struct http_params *params,
                                const struct http_handler *handler, void *user);

/* NULL is fine. */
void http_cancel(struct http_request *request);

/* Closes every connection: requests under way end with ERR_NETWORK and `why`, and the next
 * request makes a new connection. For a peer that is dead and for a TLS identity that changed. */
void http_reset(struct http *http, const char *why);

#endif
