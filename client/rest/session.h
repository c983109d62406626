/*
 * session: the connection to one API server: its TLS, its HTTP client, its credentials, and when they end.
 *
 * Embedded in its owner. Certificates are read again when they change. Its memory is needed until on_closed:
 * the session ends when the timer, the HTTP client, the credentials and all parts that its owner opened are
 * closed.
 *
 *     struct session session;
 *     if (session_init(&session, loop, config, &options, &err) != 0) return -1;
 *     session_open_part(&session);              // a call begins
 *     session_close(&session, on_closed, owner);
 *     session_close_part(&session);             // and has ended; on_closed is called by the last part
 */
#ifndef CLIENT_REST_SESSION_H
#define CLIENT_REST_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "client/auth/config.h"
#include "client/base/err.h"

struct credentials;
struct http;
struct tls;

struct session_options {
    const char *program;             /* for the User-Agent; NULL: vapcheck */
    uint64_t (*left_ms)(void *user); /* see left_ms in struct http_options (http.h) */
    void *user;
};

struct session {
    uv_loop_t *loop;
    const struct config *config;
    char *host; /* host:port */
    struct tls *tls;
    struct credentials *credentials;
    struct http *http;
    uv_timer_t reload;
    unsigned open_parts; /* the parts that must close; the open session is one */
    bool is_closing;
    void (*on_closed)(void *user);
    void *on_closed_user;
};

/* config is borrowed for the life of the session. Errors: of the credentials and the CA; then there is
 * nothing to close. */
int session_init(struct session *session, uv_loop_t *loop, const struct config *config,
                 const struct session_options *options, struct err *err) MUST_CHECK;

/* A handshake may fail because the certificates were changed. Our files may already have the new ones, so
 * they are read again soon. */
void session_reload_soon(struct session *session);

/* A part of the owner, such as a call, without whose end the session does not end. */
void session_open_part(struct session *session);
void session_close_part(struct session *session);

/* Calls on_closed, once, when all parts are closed; it may free the session. */
void session_close(struct session *session, void (*on_closed)(void *user), void *user);

#endif
