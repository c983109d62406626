/*
 * tls: whom to trust and who we are, for TLS connections.
 *
 * Reads what the options name (CA, client certificate, key; files or data),
 * checks it with OpenSSL, so that a bad file is a clear error and not a
 * failing handshake, and applies it to curl's handles. Files are read again by
 * tls_reload; a bad one keeps what was there.
 *
 *     tls_new(&options, &tls, &err);
 *     if (tls_reload(tls, &has_changed, &err) == 0 && has_changed) http_reset(...);
 */
#ifndef CLIENT_HTTP_TLS_H
#define CLIENT_HTTP_TLS_H

#include <stdbool.h>

#include "client/base/err.h"

enum {
    TLS_FILE_CAP_BYTES = 1024 * 1024,
    TLS_RELOAD_INTERVAL_MS = 5 * 60 * 1000,
    TLS_RELOAD_LEAST_MS = 1000, /* between two reloads, however many handshakes fail */
};

struct tls_options {
    char *ca_file; /* data wins over file */
    char *ca_data; /* PEM */
    char *client_cert_file;
    char *client_cert_data;
    char *client_key_file;
    char *client_key_data;
    char *server_name; /* that the certificate must have instead of the URL's host; NULL: none */
    bool insecure_skip_verify;
};

struct tls;

/* options are borrowed for the life of tls. Errors: NOT_FOUND, INVALID, TLS (a key that is not
 * the certificate's), each with the file's name. */
int tls_new(const struct tls_options *options, struct tls **out, struct err *err) MUST_CHECK;
void tls_free(struct tls *tls);

/* Reads the files again. *has_changed tells whether connections are outdated. On failure
 * nothing changed. */
int tls_reload(struct tls *tls, bool *has_changed, struct err *err) MUST_CHECK;

/* A client certificate from elsewhere (an exec plugin), PEM, copied; NULL, NULL: there is none (any
 * more). It wins over the options'. */
int tls_set_identity(struct tls *tls, const char *cert_pem, const char *key_pem, bool *has_changed,
                     struct err *err) MUST_CHECK;

/* The name that the server's certificate must have instead of the URL's host, or NULL. */
const char *tls_server_name(const struct tls *tls);

/* Sets everything on an easy handle (a CURL *), which keeps its own copies. */
int tls_apply(const struct tls *tls, void *easy, struct err *err) MUST_CHECK;

#endif
