/*
 * httpd: HTTP on the loopback, a thread a connection (libmicrohttpd). The
 * handler is called once a request, with its whole body, from any of them; it
 * locks what it shares.
 */
#ifndef SUPPORT_HTTPD_H
#define SUPPORT_HTTPD_H

#include <stdbool.h>

#include "client/base/err.h"
#include "tests/support/reply.h"

enum { HTTPD_BODY_CAP_BYTES = 16 * 1024 * 1024 };

struct httpd;

struct httpd_request {
    const char *method;
    const char *path; /* without the query, unescaped */
    const char *body; /* ends in a NUL */
    size_t len;
    struct MHD_Connection *connection;
};

typedef void httpd_handler(void *user, const struct httpd_request *request, struct reply *reply);

/* On this port, or any that is free if it is 0. */
int httpd_start(unsigned port, httpd_handler *handler, void *user, struct httpd **out,
                struct err *err) MUST_CHECK;
unsigned httpd_port(const struct httpd *httpd);
/* Streams must have been told to end (objects_stop). */
void httpd_stop(struct httpd *httpd);

/* A query parameter, a header; "" if absent. */
const char *httpd_query(const struct httpd_request *request, const char *name);
const char *httpd_header(const struct httpd_request *request, const char *name);
bool httpd_is_true(const struct httpd_request *request, const char *query);
/* Returns true if the Accept header has the media type. */
bool httpd_accepts(const struct httpd_request *request, const char *what);

#endif
