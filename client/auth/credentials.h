/*
 * credentials: our identity for the API server, as header lines: the token of the
 * config, its file or its plugin, and impersonation. Owned by api.
 *
 *     if (!credentials_are_ready(c)) { credentials_refresh(c, on_ready, api); return; }
 *     credentials_add(c, uv_now(loop), &headers);
 */
#ifndef CLIENT_AUTH_CREDENTIALS_H
#define CLIENT_AUTH_CREDENTIALS_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "client/auth/config.h"
#include "client/base/err.h"
#include "client/http/http.h"
#include "client/http/tls.h"

struct credentials;

/* config and tls are borrowed for its life; a plugin's certificate goes into tls. */
struct credentials *credentials_new(uv_loop_t *loop, const struct config *config, struct tls *tls);
/* Afterwards no callback comes but on_closed, which may come before this returns. */
void credentials_close(struct credentials *c, void (*on_closed)(void *user), void *user);

/* Returns false if the plugin must run first. */
bool credentials_are_ready(const struct credentials *c);

/* Runs the plugin. on_done fires once, later; is_new_identity: connections are outdated. It
 * must not be called while the plugin runs. */
void credentials_refresh(struct credentials *c,
                         void (*on_done)(void *user, const struct err *err, bool is_new_identity),
                         void *user);

void credentials_add(struct credentials *c, uint64_t now_ms, struct http_headers *headers);

/* Some servers and proxies repeat a request in their errors. The tokens and passwords that we send or sent
 * last, those of proxies, and those in URLs and in an Authorization header are cut out (redact.h). */
void credentials_redact(const struct credentials *c, char *text);

/* Must be called after a 401: the token file is read, or the plugin run, before the next request. Returns
 * false if there is neither, so that another try makes no sense. */
bool credentials_expire(struct credentials *c);

#endif
