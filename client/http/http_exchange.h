/*
 * http_exchange: an HTTP request and the answer to it, as data; and the time
 * and size limits that every request has.
 */
#ifndef CLIENT_HTTP_HTTP_EXCHANGE_H
#define CLIENT_HTTP_HTTP_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/base/err.h"
#include "client/http/http_headers.h"

enum {
    HTTP_CONNECT_TIMEOUT_MS = 30000,   /* resolving, TCP, TLS */
    HTTP_HANDSHAKE_TIMEOUT_MS = 10000, /* TLS, and a proxy's CONNECT, may take so much of it */
    HTTP_PATIENCE_MS = 2000,           /* for a connection that another request opens */
    HTTP_KEEPALIVE_IDLE_S = 30,
    HTTP_KEEPALIVE_EVERY_S = 5,
    HTTP_KEEPALIVE_PROBES = 3,
    HTTP_USER_TIMEOUT_MS = 45000,
    HTTP_HEADER_CAP_BYTES = 64 * 1024,
};

/* HTTP_WATCH has no total timeout; a dead peer is noticed by TCP (see the constants). */
enum http_profile { HTTP_SHORT, HTTP_WATCH };

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
    int retry_after_ms; /* as headerfields's */
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

#endif
