/*
 * remote: reads documents from a live cluster, one after the other.
 *
 * Calls block, since a command has nothing else to do. An answer is kept until
 * remote_close. An OpenAPI document is read from the URL in the index, which a
 * server can cache.
 *
 *     struct remote *r;
 *     if (remote_open(&source, &r, &err) != 0) ...
 *     if (remote_get(r, "/version", &bytes, &len, &err) != 0) ...
 *     remote_close(r);
 */
#ifndef CMD_KUBECTL_VAPCHECK_INPUT_REMOTE_H
#define CMD_KUBECTL_VAPCHECK_INPUT_REMOTE_H

#include <json-c/json.h>
#include <stddef.h>

#include "client/auth/config_source.h"
#include "client/base/err.h"
#include "client/discovery/discovery.h"

struct remote;

/* Reads the kubeconfig; the server is asked for nothing yet. The caller ends with remote_close. */
int remote_open(const struct config_source *source, struct remote **out, struct err *err) MUST_CHECK;
void remote_close(struct remote *remote);

/* The document at a URL path; "/api" and "/apis" give aggregated discovery, also for a server that has none.
 * *bytes ends in a NUL. Errors: as api_get and discovery_fetch; NOT_FOUND, too, for an OpenAPI document that
 * the index does not have. */
int remote_get(struct remote *remote, const char *path, const char **bytes, size_t *len,
               struct err *err) MUST_CHECK;

/* Everything that the server serves, from either form of discovery. The caller frees it. Errors: as
 * discovery_fetch. */
int remote_discovery(struct remote *remote, struct discovery **out, struct err *err) MUST_CHECK;

/* One item's JSON text, borrowed; -1 ends the list with *err. No request may be made in it. */
typedef int remote_on_item(void *user, const char *bytes, size_t len, struct err *err);

/* One page of a list. *continue_token is NULL for the first page; after the call it is that of the next
 * page, which the caller frees, or NULL if there is none. Nothing is kept. Errors: as api_list. */
int remote_list(struct remote *remote, const char *path, unsigned limit, char **continue_token,
                remote_on_item *on_item, void *user, struct err *err) MUST_CHECK;

/* Our user as the server sees it: a UserInfo, which the caller puts. A SelfSubjectReview asks for it; the
 * server does not store it. Errors: as api_create; NOT_FOUND if the server has no such review. */
int remote_user(struct remote *remote, struct json_object **out, struct err *err) MUST_CHECK;

/* Drops the answer that was kept last: it will not be asked for again. */
void remote_forget_last(struct remote *remote);

#endif
