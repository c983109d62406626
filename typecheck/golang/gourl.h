/*
 * gourl: URLs as Go's net/url reads them, with its errors. Pure.
 *
 *     struct gourl u;
 *     struct str error = gourl_parse(a, text, GOURL_GO_1_26, &u);
 *     if (error.len != 0) print(error);
 */
#ifndef TYPECHECK_GOLANG_GOURL_H
#define TYPECHECK_GOLANG_GOURL_H

#include <stdbool.h>

#include "typecheck/base/str.h"

/* Each Go (its last patch release) accepts fewer hosts than the one before it. */
enum gourl_go {
    GOURL_GO_1_23, /* anything in brackets at the beginning */
    GOURL_GO_1_24, /* an IPv6 address in brackets */
    GOURL_GO_1_25, /* the same, and nothing before the brackets */
    GOURL_GO_1_26, /* the same, and one colon only if the scheme is http or https */
};

struct gourl {
    struct str scheme;   /* in lower case */
    struct str opaque;   /* the rest after the scheme, if it does not begin with "/" */
    struct str user;     /* with the password, escaped */
    struct str host;     /* with the port */
    struct str path;     /* escaped */
    struct str query;    /* as it is written */
    struct str fragment; /* unescaped */
    struct str escaped_fragment;
    bool has_user, has_host, has_query; /* an empty one counts, too */
};

/* Parses as url.Parse; returns its error, or an empty text. The texts of *out lie in the arena or are parts
 * of s. */
struct str gourl_parse(struct arena *a, struct str s, enum gourl_go go, struct gourl *out);

/* The same for url.ParseRequestURI of Go 1.26, in which "#" is a character of the path. has_host is set even
 * if the host or the rest is malformed. */
struct str gourl_parse_request(struct arena *a, struct str s, struct gourl *out);

/* The text of URL.String. */
struct str gourl_text(struct arena *a, const struct gourl *u);

/* Takes the next parameter from the query, unescaped, as url.ParseQuery does; returns false if there is
 * none. */
bool gourl_next_parameter(struct arena *a, struct str *query, struct str *key, struct str *value);

#endif
