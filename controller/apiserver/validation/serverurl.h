/*
 * serverurl: a URL as an API server reads it: by net/url of the Go that this version is built with. Pure.
 *
 *     cleanup_serverurl struct serverurl u;
 *     if (!serverurl_parse(text, errors, &u)) say(u.error);
 */
#ifndef CONTROLLER_APISERVER_VALIDATION_SERVERURL_H
#define CONTROLLER_APISERVER_VALIDATION_SERVERURL_H

#include <stdbool.h>

#include "controller/apiserver/validation/fielderrors.h"

struct serverurl {
    char *error;    /* "parse \"x\": missing protocol scheme"; NULL: it is a URL */
    char *scheme;   /* lower case; this and the next are "" if absent */
    char *host;     /* with the port */
    char *user;     /* with the password, escaped; NULL: none */
    char *fragment; /* unescaped */
    char *query;    /* as written */
};

#define cleanup_serverurl __attribute__((cleanup(serverurl_deinit)))

/* Parses a URL as the server does. If it is wrong, it returns false and sets the error. version: its minor
 * decides which release of Go reads the URL. The caller deinits out in both cases. */
bool serverurl_parse(const char *text, const struct fielderrors *version, struct serverurl *out);
void serverurl_deinit(struct serverurl *url);

#endif
