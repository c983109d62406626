/*
 * http_headers: the header lines of an HTTP request, some of which are secret.
 */
#ifndef CLIENT_HTTP_HTTP_HEADERS_H
#define CLIENT_HTTP_HTTP_HEADERS_H

#include <stddef.h>

/* Lines "Name: value". Embedded; zeroed is empty. */
struct http_headers {
    char **lines;
    size_t count;
};

/* A line with a control character in it is left out. */
void http_headers_add(struct http_headers *headers, const char *name, const char *value);
/* Both wipe what goes: it may be a token. cut leaves the first count lines. */
void http_headers_cut(struct http_headers *headers, size_t count);
void http_headers_deinit(struct http_headers *headers);

#endif
