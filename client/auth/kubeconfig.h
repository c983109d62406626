/*
 * kubeconfig: kubectl's configuration files, merged, as a struct config.
 *
 * Several files are one: the first to name a cluster, user or context, and
 * the first to set current-context, wins. Relative paths are relative to the
 * file that holds them.
 */
#ifndef CLIENT_AUTH_KUBECONFIG_H
#define CLIENT_AUTH_KUBECONFIG_H

#include <stddef.h>

#include "client/auth/config.h"
#include "client/base/err.h"

/* Reads the files and fills config (zeroed by the caller, who frees it whatever the answer).
 * context NULL: current-context. Credentials are left out for an http:// server.
 * Errors: NOT_FOUND (a file, the context), INVALID (names the file and the field). */
int kubeconfig_load(const char *const *paths, size_t count, const char *context, struct config *config,
                    struct err *err) MUST_CHECK;

#endif
