/*
 * gourl: a URL as Go's net/url parses it, with its errors. Pure.
 *
 *     cleanup_gourl struct gourl u;
 *     if (!gourl_parse(text, GOURL_GO_1_26, &u)) say(u.error);
 */
#ifndef CONTROLLER_ADMISSION_GOURL_H
#define CONTROLLER_ADMISSION_GOURL_H

#include <stdbool.h>

/* Each Go (the last patch of it) takes less for a host than the one before it. */
enum gourl_go {
    GOURL_GO_1_23, /* anything in brackets at its beginning */
    GOURL_GO_1_24, /* an IPv6 address in brackets */
    GOURL_GO_1_25, /* and nothing before them */
    GOURL_GO_1_26, /* and one colon, where the scheme is http or https */
};

struct gourl {
    enum gourl_go go; /* whose rules */
    char *error;      /* "parse \"x\": missing protocol scheme"; NULL: it is a URL */
    char *scheme;     /* lower case; each of these "" where there is none */
    char *host;       /* with the port */
    char *user;       /* with the password, escaped; NULL: none */
    char *fragment;   /* unescaped */
    char *query;      /* as it stands there */
};

#define cleanup_gourl __attribute__((cleanup(gourl_deinit)))

/* False with the error set. To deinit in both cases. */
bool gourl_parse(const char *text, enum gourl_go go, struct gourl *out);
void gourl_deinit(struct gourl *url);

#endif
