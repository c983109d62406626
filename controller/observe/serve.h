/*
 * serve: a small HTTP server on the loop: GET and HEAD of a few paths, each
 * answered at once and whole (libmicrohttpd, by its epoll descriptor).
 *
 * One loop, no threads. Plain HTTP, for the network of the pod. No request body is read; connections,
 * requests and their time are limited. If the limit is reached, a new connection replaces one that has no
 * complete request: the oldest of the host with the most connections; and if it comes from another host, any
 * of that host's. So nobody can keep the probes away. However many requests arrive, on however few
 * connections, a turn of the loop answers a limited number of them; the others wait, in the order in which
 * they came, and further requests wait behind them.
 *
 *     static const struct serve_route routes[] = {{"/metrics", on_metrics}};
 *     if (serve_start(loop, &(struct serve_options){.address = ":8080", ...}, &serve, &err) != 0) ...
 *     serve_close(serve, on_closed, user);
 */
#ifndef CONTROLLER_OBSERVE_SERVE_H
#define CONTROLLER_OBSERVE_SERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <uv.h>

#include "client/base/buf.h"
#include "client/base/err.h"

enum {
    SERVE_CONNECTIONS_MAX = 64,
    SERVE_CONNECTIONS_PER_PEER = 16, /* of an IPv4 address or an IPv6 /64 */
    SERVE_REQUEST_BYTES = 16 * 1024, /* of the request line and the headers, roughly */
    SERVE_IDLE_S = 10,               /* without a byte from the peer */
    SERVE_ANSWER_LEAST_MS = 1000,    /* a peer has so long to read an answer, however many others come */
    SERVE_REQUEST_MS = 20 * 1000,    /* from the connection, or an answer, to the end of the next answer */
    SERVE_TURN_PEER_REQUESTS = 16, /* requests of one connection that are answered in one turn of the loop */
    SERVE_TURN_PEER_BYTES =
        64 * 1024, /* after this many bytes of answers, a connection waits for the next turn */
    SERVE_TURN_BYTES = 256 * 1024, /* the same for all connections together */
    SERVE_TURN_WAITERS = 4,        /* this many of the waiting connections are answered in the next turn */
};

struct serve;
struct serve_request;

struct serve_reply {
    int status;               /* 200 unless the handler sets another */
    const char *content_type; /* text/plain; charset=utf-8 unless the handler sets another */
    struct buf body;
};

struct serve_route {
    const char *path; /* "/readyz" also takes "/readyz/..." if it is a tree */
    bool is_tree;
    void (*handler)(void *user, const struct serve_request *request, struct serve_reply *reply);
};

struct serve_options {
    const char *address; /* ":8080", "127.0.0.1:0", "[::1]:8080" */
    const struct serve_route *routes;
    size_t n_routes;
    size_t body_cap_bytes; /* a longer answer becomes a 500 */
    void *user;
};

/* Returns true if the address is "0": serve nothing. */
bool serve_is_off(const char *address);
/* Errors: INVALID. An address that is off is fine. */
int serve_check_address(const char *address, struct err *err) MUST_CHECK;

/* options and routes are borrowed for the life of the server. Errors: INVALID, NETWORK. */
int serve_start(uv_loop_t *loop, const struct serve_options *options, struct serve **out,
                struct err *err) MUST_CHECK;
/* First answers requests that have arrived. Then everything is closed, and freed before on_closed. */
void serve_close(struct serve *serve, void (*on_closed)(void *user), void *user);

/* The address on which it listens: "127.0.0.1:43211", "[::]:8080". */
const char *serve_address(const struct serve *serve);

/* The part of the path after a tree's route: "stores" in "/readyz/stores"; "" if there is none. */
const char *serve_rest(const struct serve_request *request);
/* Returns true if the query has this parameter; with this value, unless that is NULL. */
bool serve_has(const struct serve_request *request, const char *name, const char *value);

#endif
