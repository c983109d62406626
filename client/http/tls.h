/*
 * tls: for TLS connections, which servers we trust and which certificate we show.
 *
 * The options name a CA, a client certificate and its key, as files or as data.
 * tls_new reads and checks them with OpenSSL, so that a bad file is an error with
 * the file's name and not a handshake that fails later. tls_apply sets them on a
 * handle of curl. tls_reload reads the files again; if one is bad, the files that
 * were read before stay in use.
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
    char *server_name; /* the certificate must have this name; NULL: the host of the URL */
    bool insecure_skip_verify;
};

struct tls;

/* options are borrowed for the life of tls. Errors: NOT_FOUND, INVALID, TLS (a key that is not
 * the certificate's), each with the file's name. */
int tls_new(const struct tls_options *options, struct tls **out, struct err *err) MUST_CHECK;
void tls_free(struct tls *tls);

/* Reads the files again. *has_changed: connections that exist use outdated files. If it fails, everything
 * stays as it was. */
int tls_reload(struct tls *tls, bool *has_changed, struct err *err) MUST_CHECK;

/* Sets a client certificate that comes from elsewhere (a credential plugin). It is used instead of that of
 * the options. Both texts are PEM and are copied; NULL for both removes it. */
int tls_set_identity(struct tls *tls, const char *cert_pem, const char *key_pem, bool *has_changed,
                     struct err *err) MUST_CHECK;

/* The name that the server's certificate must have; NULL if it is the host of the URL. */
const char *tls_server_name(const struct tls *tls);

/* Sets everything on an easy handle (a CURL *), which keeps its own copies. */
int tls_apply(const struct tls *tls, void *easy, struct err *err) MUST_CHECK;

#endif
