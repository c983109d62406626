/*
 * gourl: a URL as Go's net/url parses it, with its errors. Pure.
 *
 *     cleanup_gourl struct gourl u;
 *     if (!gourl_parse(text, &u)) say(u.error);
 */
#ifndef CONTROLLER_GOURL_H
#define CONTROLLER_GOURL_H

#include <stdbool.h>

struct gourl {
    char *error;    /* "parse \"x\": missing protocol scheme"; NULL: it is a URL */
    char *scheme;   /* lower case; each of these "" where there is none */
    char *host;     /* with the port */
    char *user;     /* with the password, escaped; NULL: none */
    char *fragment; /* unescaped */
    char *query;    /* as it stands there */
};

#define cleanup_gourl __attribute__((cleanup(gourl_deinit)))

/* False with the error set. To deinit in both cases. */
bool gourl_parse(const char *text, struct gourl *out);
void gourl_deinit(struct gourl *url);

#endif
