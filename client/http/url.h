/*
 * url: splits, joins and encodes URLs and paths of the Kubernetes API. Pure.
 *
 *     url_parse("https://[::1]:6443/prefix", &u, &err);
 *     url_join(&buf, config->server, "/apis");
 *     url_add_query(&buf, "fieldManager", manager);
 */
#ifndef CLIENT_HTTP_URL_H
#define CLIENT_HTTP_URL_H

#include <stdbool.h>
#include <stddef.h>

#include "client/base/buf.h"
#include "client/base/err.h"

enum { URL_CAP_BYTES = 16 * 1024 };

struct url {
    bool is_tls;
    char host[256]; /* without brackets */
    unsigned port;  /* the scheme's if none is given */
};

/* http and https only; user information, query and fragment are refused.
 * Errors: INVALID, with the reason. */
int url_parse(const char *text, struct url *out, struct err *err) MUST_CHECK;

/* Appends base without its trailing slashes, then path, which begins with one. */
int url_join(struct buf *b, const char *base, const char *path);

/* Appends "?name=value" or "&name=value"; the value is percent-encoded. */
int url_add_query(struct buf *b, const char *name, const char *value);

/* Appends text, percent-encoding all but RFC 3986's unreserved characters. */
int url_put_encoded(struct buf *b, const char *text);

/* Returns true if the text can be a segment of a path: it is not empty, and not "." or "..", which stand for
 * other segments. No object and no namespace has such a name. */
bool url_is_segment(const char *text);

/* Returns true if no segment of the path, up to its query, is "." or "..", however encoded. Such a path may
 * become another one on its way to the server. */
bool url_is_plain(const char *path);

/* The path of an API resource, "/apis/apps/v1/namespaces/n/deployments/name/status", "/api/v1/nodes"; parts
 * that are NULL are left out. The caller frees the path. */
struct url_resource {
    const char *group_version; /* "apps/v1"; of the core group "v1" */
    const char *namespace, *resource, *name, *subresource;
};
char *url_resource(const struct url_resource *parts);

/* The URL of a server whose certificate has another name than the host of the URL. */
struct url_renamed {
    char *url;         /* with that name as its host */
    char *connect_to;  /* the real host, to which to connect nevertheless, in curl's notation */
    char *host_header; /* "Host: ..." with the real host */
};

/* Returns false if url has no host. The caller deinits *out on success. */
bool url_rename(const char *url, const char *name, struct url_renamed *out);
void url_renamed_deinit(struct url_renamed *renamed);

#endif
