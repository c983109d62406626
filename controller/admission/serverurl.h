/*
 * serverurl: a URL as an API server reads it: by net/url of the Go that this version is built with. Pure.
 *
 *     cleanup_serverurl struct serverurl u;
 *     if (!serverurl_parse(text, errors, &u)) say(u.error);
 */
#ifndef CONTROLLER_ADMISSION_SERVERURL_H
#define CONTROLLER_ADMISSION_SERVERURL_H

#include <stdbool.h>

#include "controller/field/fielderrors.h"

struct serverurl {
    char *error;    /* "parse \"x\": missing protocol scheme"; NULL: it is a URL */
    char *scheme;   /* lower case; each of these "" where there is none */
    char *host;     /* with the port */
    char *user;     /* with the password, escaped; NULL: none */
    char *fragment; /* unescaped */
    char *query;    /* as it stands there */
};

#define cleanup_serverurl __attribute__((cleanup(serverurl_deinit)))

/* False with the error set. The version is that of the errors. To deinit in both cases. */
bool serverurl_parse(const char *text, const struct fielderrors *version, struct serverurl *out);
void serverurl_deinit(struct serverurl *url);

#endif
