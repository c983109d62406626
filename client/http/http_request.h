/*
 * http_request: one HTTP request as one easy handle of libcurl: parameters to
 * options, head and body to the handler, curl's end to an error. Internal to
 * http, which lists the requests, gives the handles to curl, and ends them.
 *
 * The handler's on_head and on_data are called while curl works on the easy
 * handle; nothing here calls on_done, or touches the multi handle. A body that
 * comes as gzip is inflated here, not by curl, whose release 7.88 reads the
 * first gzip member only. A turn of the loop hands out a limited amount of one
 * body: lists may have any length, and a few bytes may inflate to any number.
 *
 *     struct http_request *r = http_request_new(&http->common, params, handler, user);
 *     ... until curl is done with r->easy ...
 *     int failed = http_request_result(r, code, &err);
 *     http_request_free(r);
 */
#ifndef CLIENT_HTTP_HTTP_REQUEST_H
#define CLIENT_HTTP_HTTP_REQUEST_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <uv.h>

#include "client/base/buf.h"
#include "client/base/err.h"
#include "client/http/gunzip.h"
#include "client/http/headerfields.h"
#include "client/http/http_exchange.h"

struct http;
struct tls;

enum {
    HTTP_TURN_WORK = 256 * 1024, /* bytes of one body in one turn of the loop; of gzip as gunzip counts */
    HTTP_REST_CAP_BYTES = 1024 * 1024, /* curl hands out 16 KiB at once */
    HTTP_IDLE_MAX = 8,                 /* easy handles that are kept: 25 KB each */
};

/* The common part of all requests of one http; see struct http_options. */
struct http_request_common {
    const uv_loop_t *loop;              /* says when a turn begins */
    void (*on_rest)(struct http *http); /* a request has a rest: http_request_go_on must be called */
    const struct tls *tls;
    char *proxy_url;
    char *user_agent;                 /* a header; NULL: none */
    struct curl_slist *proxy_headers; /* for a proxy that is asked to CONNECT: the same */
    char *basic_auth;
    bool disable_compression;
    CURL *idle[HTTP_IDLE_MAX]; /* easy handles of short requests that ended, for the next ones */
    size_t n_idle;
    unsigned generation; /* of the common part: easy handles of an older generation are not kept */
};

/* QUEUED -> RUNNING -> (freed); either -> CANCELED -> (freed); RUNNING -> QUEUED, once: patience ends. */
enum http_request_state { HTTP_REQUEST_QUEUED, HTTP_REQUEST_RUNNING, HTTP_REQUEST_CANCELED };

struct http_request {
    struct http *http; /* these four are http's */
    LIST_ENTRY(http_request) link;
    enum http_request_state state; /* a CANCELED one's handler is not called */
    uint64_t started_ms;           /* when curl got it */
    struct http_request_common *common;
    const struct http_handler *handler;
    void *user;
    CURL *easy; /* curl's handle; NULL after a failure */
    unsigned generation;
    bool is_short;
    CURLU *url; /* read by easy; NULL: curl had no memory for it */
    struct curl_slist *headers;
    struct curl_slist *connect_to;
    size_t cap_bytes;
    size_t body_bytes;
    size_t header_bytes;
    uint64_t write_timeout_ms; /* 0: it is no write */
    bool has_head;             /* on_head was called */
    bool is_patient;           /* may wait for another request's connection, which may become one for both */
    curl_socket_t fd;          /* opened last for it, maybe closed since; -1: none */
    uint64_t handshake_ms;     /* when TCP was seen to be connected; 0: not yet */
    struct headerfields head;
    bool is_gzip; /* the body is; the fields below are about the body, too */
    struct gunzip gunzip;
    struct buf rest;    /* the part of the body that is not handed out yet */
    size_t rest_at;     /* this much of it was */
    uint64_t turn_ms;   /* when the turn began whose work is counted */
    size_t turn_work;   /* the work that is left for the turn */
    bool is_complete;   /* curl is done with it, and said why; the rest is not */
    CURLcode curl_code; /* why */
    bool was_refused;   /* by the handler */
    struct err failure; /* ours, before curl has it or later; wins over curl's */
    char curl_message[CURL_ERROR_SIZE];
};

/* Never fails: look at its failure before curl gets it. The common part outlives it, params are
 * borrowed for the call, handler and user as http_start says. Caller frees. */
struct http_request *http_request_new(struct http_request_common *common, const struct http_params *params,
                                      const struct http_handler *handler, void *user);

/* curl's multi handle has lost the easy handle before. */
void http_request_free(struct http_request *r);

/* Frees the easy handles that are kept: the common part changed, or nobody needs them. */
void http_request_renew_common(struct http_request_common *common);
void http_request_drop_idle(struct http_request_common *common);

/* The request whose easy handle it is. */
struct http_request *http_request_of(CURL *easy);

/* Makes its time limits less than left_ms, before curl gets it. Too little left is its failure. */
void http_request_keep_within(struct http_request *r, uint64_t left_ms);

/* Returns true if the TLS handshake, or a proxy's CONNECT, takes longer than HTTP_HANDSHAKE_TIMEOUT_MS. The
 * time counts from the first call that finds TCP connected, so call it repeatedly until there is a head. */
bool http_request_has_stalled(struct http_request *r, uint64_t now_ms);

/* Returns true if the request has waited HTTP_PATIENCE_MS for another request's connection. */
bool http_request_has_waited(const struct http_request *r, uint64_t now_ms);

/* Ends its waiting: it opens its own connection the next time curl gets it. */
void http_request_end_patience(struct http_request *r);

/* Returns true if part of its body is not handed out yet. Meanwhile curl gives no more of it, but may have
 * ended. */
bool http_request_has_rest(const struct http_request *r);

/* Notes that curl has ended the request before the rest of its body is handed out. */
void http_request_complete(struct http_request *r, CURLcode code);

/* Does one turn's work on the rest; then curl may continue. Returns true once the request is at its end:
 * *code is then the code of curl, or says why nothing more can be taken. */
bool http_request_go_on(struct http_request *r, CURLcode *code);

/* The result of the request, from curl's code: 0, or -1 with the request's own failure, CANCELED (the handler
 * refused), or curl's: TIMEOUT, NETWORK, TLS, INVALID, INTERNAL, PROTOCOL. */
int http_request_result(const struct http_request *r, CURLcode code, struct err *err) MUST_CHECK;

#endif
