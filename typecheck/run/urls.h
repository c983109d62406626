/*
 * urls: URLs as Go's net/url reads them (Go 1.26), for url() and isURL().
 */
#ifndef TYPECHECK_RUN_URLS_H
#define TYPECHECK_RUN_URLS_H

#include <stdbool.h>

#include "typecheck/run/function.h"

struct url {
    struct str scheme;                  /* in lower case */
    struct str opaque;                  /* behind the scheme, where no "/" follows */
    struct str user;                    /* with the password, escaped */
    struct str host;                    /* with the port */
    struct str path;                    /* escaped */
    struct str query;                   /* as it is written */
    struct str fragment;                /* escaped */
    bool has_user, has_host, has_query; /* be it empty */
};

/* Why url.ParseRequestURI refuses it; empty: it does not. */
struct str urls_refusal(struct arena *a, struct str s);

/* Whether url.ParseRequestURI reads a host in it, be that or what follows malformed. */
bool urls_has_host(struct arena *a, struct str s);

struct str urls_text(struct arena *a, const struct value *v);

function_call urls_url, urls_is_url;

/* getHost() and the others that are texts, by their name. */
function_call urls_part, urls_query;

#endif
