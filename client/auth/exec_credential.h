/*
 * exec_credential: credentials from a plugin that kubeconfig names
 * (client.authentication.k8s.io/v1 and v1beta1).
 *
 * The plugin is a child process on the loop: no shell, no terminal (interactive:
 * false), a timeout, one at a time. Its output is kept until it expires or the
 * server answers 401. Owned by credentials.
 *
 *     if (!exec_credential_is_fresh(x, unix_ms)) exec_credential_run(x, on_done, user);
 */
#ifndef CLIENT_AUTH_EXEC_CREDENTIAL_H
#define CLIENT_AUTH_EXEC_CREDENTIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "client/auth/config.h"
#include "client/base/err.h"

enum {
    EXEC_CREDENTIAL_TIMEOUT_MS = 60000,
    EXEC_CREDENTIAL_CAP_BYTES = 1024 * 1024, /* of the plugin's output */
};

struct exec_credential;

/* The plugin's output; a field that it did not print is NULL. */
struct exec_credential_value {
    char *token;
    char *cert_pem;
    char *key_pem;
    int64_t expires_unix_ms; /* INT64_MAX: never */
};

/* config->exec must be set; config is borrowed for its life. */
struct exec_credential *exec_credential_new(uv_loop_t *loop, const struct config *config);

/* Kills a running plugin. Afterwards no callback comes but on_closed (may be NULL). */
void exec_credential_close(struct exec_credential *x, void (*on_closed)(void *user), void *user);

bool exec_credential_is_fresh(const struct exec_credential *x, int64_t unix_ms);
const struct exec_credential_value *exec_credential_value(const struct exec_credential *x);

/* The server did not accept the credential: the plugin must run again. */
void exec_credential_expire(struct exec_credential *x);

/* Runs the plugin; on_done fires once, later. Must not be called while it runs. */
void exec_credential_run(struct exec_credential *x, void (*on_done)(void *user, const struct err *err),
                         void *user);

/* The pure part: reads the plugin's output. The caller deinits *out. Errors:
 * INVALID (says what is wrong, never what was printed). */
int exec_credential_parse(const char *bytes, size_t len, const char *api_version,
                          struct exec_credential_value *out, struct err *err) MUST_CHECK;
void exec_credential_value_deinit(struct exec_credential_value *value);

/* Reads "2006-01-02T15:04:05Z", also with a fraction or an offset, as milliseconds since 1970;
 * returns 0 or -1. */
int exec_credential_parse_time(const char *text, int64_t *unix_ms);

#endif
