#include "client/http/tls.h"

#include <curl/curl.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <string.h>

#include "client/base/file.h"
#include "client/base/mem.h"

/* PEM texts; NULL for none. */
struct material {
    char *ca;
    char *cert;
    char *key;
};

struct tls {
    const struct tls_options *options;
    struct material now;
    bool has_own_identity; /* from tls_set_identity: reloading leaves it alone */
};

static void material_deinit(struct material *m)
{
    mem_free(m->ca);
    mem_free(m->cert);
    mem_free_secret(m->key);
    *m = (struct material){0};
}

static bool is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Data wins over the file. */
static int read_pem(const char *data, const char *path, char **out, struct err *err)
{
    if (data)
        *out = mem_strdup(data);
    else if (path)
        return file_read(path, TLS_FILE_CAP_BYTES, out, NULL, err);
    return 0;
}

static size_t count_certificates(const char *pem)
{
    BIO *bio = BIO_new_mem_buf(pem, -1);
    size_t count = 0;
    for (X509 *x = NULL; bio && (x = PEM_read_bio_X509_AUX(bio, NULL, NULL, NULL)); count++)
        X509_free(x);
    BIO_free(bio);
    ERR_clear_error();
    return count;
}

/* An encrypted key must not ask the terminal for its password. */
static int no_password(char *buf, int size, int is_writing, void *user)
{
    (void)buf;
    (void)size;
    (void)is_writing;
    (void)user;
    return 0;
}

static bool is_pair(const char *cert_pem, const char *key_pem)
{
    BIO *cert_bio = BIO_new_mem_buf(cert_pem, -1);
    BIO *key_bio = BIO_new_mem_buf(key_pem, -1);
    X509 *cert = cert_bio ? PEM_read_bio_X509_AUX(cert_bio, NULL, NULL, NULL) : NULL;
    EVP_PKEY *key = key_bio ? PEM_read_bio_PrivateKey(key_bio, NULL, no_password, NULL) : NULL;
    const bool result = cert && key && X509_check_private_key(cert, key) == 1;
    EVP_PKEY_free(key);
    X509_free(cert);
    BIO_free(key_bio);
    BIO_free(cert_bio);
    ERR_clear_error();
    return result;
}

static const char *name_of(const char *data, const char *path)
{
    return data || !path ? "its data" : path;
}

static int check_identity(const struct material *m, const char *cert_name, const char *key_name,
                          struct err *err)
{
    if (!m->cert)
        return 0;
    if (!m->key)
        return err_set(err, ERR_INVALID, "client-certificate (%s) without a key", cert_name);
    if (count_certificates(m->cert) == 0)
        return err_set(err, ERR_INVALID, "client-certificate (%s) holds no PEM certificate", cert_name);
    if (!is_pair(m->cert, m->key))
        return err_set(err, ERR_TLS, "client-key (%s) is not the key of the client-certificate (%s)",
                       key_name, cert_name);
    return 0;
}

static int load(const struct tls_options *c, bool with_identity, struct material *m, struct err *err)
{
    if (read_pem(c->ca_data, c->ca_file, &m->ca, err) != 0)
        return err_prefix(err, "certificate-authority");
    if (m->ca && count_certificates(m->ca) == 0)
        return err_set(err, ERR_INVALID, "certificate-authority (%s) holds no PEM certificate",
                       name_of(c->ca_data, c->ca_file));
    if (!with_identity)
        return 0;
    if (read_pem(c->client_cert_data, c->client_cert_file, &m->cert, err) != 0)
        return err_prefix(err, "client-certificate");
    if (read_pem(c->client_key_data, c->client_key_file, &m->key, err) != 0)
        return err_prefix(err, "client-key");
    return check_identity(m, name_of(c->client_cert_data, c->client_cert_file),
                          name_of(c->client_key_data, c->client_key_file), err);
}

int tls_new(const struct tls_options *options, struct tls **out, struct err *err)
{
    struct tls *tls = mem_zalloc(sizeof *tls);
    tls->options = options;
    *out = NULL;
    if (load(options, true, &tls->now, err) != 0) {
        tls_free(tls);
        return -1;
    }
    *out = tls;
    return 0;
}

void tls_free(struct tls *tls)
{
    if (!tls)
        return;
    material_deinit(&tls->now);
    mem_free(tls);
}

static void replace(struct tls *tls, struct material *m, bool *has_changed)
{
    *has_changed =
        !is_same(m->ca, tls->now.ca) || !is_same(m->cert, tls->now.cert) || !is_same(m->key, tls->now.key);
    material_deinit(&tls->now);
    tls->now = *m;
}

int tls_reload(struct tls *tls, bool *has_changed, struct err *err)
{
    struct material m = {0};
    *has_changed = false;
    if (load(tls->options, !tls->has_own_identity, &m, err) != 0) {
        material_deinit(&m);
        return -1;
    }
    if (tls->has_own_identity) {
        m.cert = mem_strdup(tls->now.cert);
        m.key = mem_strdup(tls->now.key);
    }
    replace(tls, &m, has_changed);
    return 0;
}

/* The options' counts again. */
static int drop_identity(struct tls *tls, bool *has_changed, struct err *err)
{
    *has_changed = false;
    if (!tls->has_own_identity)
        return 0;
    tls->has_own_identity = false;
    if (tls_reload(tls, has_changed, err) == 0)
        return 0;
    tls->has_own_identity = true;
    return -1;
}

int tls_set_identity(struct tls *tls, const char *cert_pem, const char *key_pem, bool *has_changed,
                     struct err *err)
{
    if (!cert_pem)
        return drop_identity(tls, has_changed, err);
    struct material m = {.cert = mem_strdup(cert_pem), .key = mem_strdup_or_null(key_pem)};
    *has_changed = false;
    if (check_identity(&m, "from the plugin", "from the plugin", err) != 0) {
        material_deinit(&m);
        return -1;
    }
    m.ca = mem_strdup_or_null(tls->now.ca);
    tls->has_own_identity = true;
    replace(tls, &m, has_changed);
    return 0;
}

const char *tls_server_name(const struct tls *tls)
{
    return tls->options->server_name;
}

static CURLcode set_blob(CURL *easy, CURLoption option, const char *pem)
{
    if (!pem)
        return CURLE_OK;
    /* The copy is curl's; the struct wants a pointer that is not const. */
    struct curl_blob blob = {.len = strlen(pem), .flags = CURL_BLOB_COPY};
    memcpy(&blob.data, &pem, sizeof blob.data);
    return curl_easy_setopt(easy, option, &blob);
}

/* curl wants each connection to free its 17 KB for records whenever it holds none, and to allocate them again
 * for the next. We have few connections, which are seldom idle. */
static CURLcode keep_buffers(CURL *easy, void *ssl_ctx, void *user)
{
    (void)easy;
    (void)user;
    SSL_CTX_clear_mode(ssl_ctx, SSL_MODE_RELEASE_BUFFERS);
    return CURLE_OK;
}

int tls_apply(const struct tls *tls, void *easy, struct err *err)
{
    CURLcode code = curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (code == CURLE_OK)
        code = curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, keep_buffers);
    if (code == CURLE_OK && tls->options->insecure_skip_verify) {
        code = curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
        if (code == CURLE_OK)
            code = curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
    }
    if (code == CURLE_OK && tls->now.ca) {
        /* Only this CA is trusted, and not those of the system. */
        code = curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
        if (code == CURLE_OK)
            code = set_blob(easy, CURLOPT_CAINFO_BLOB, tls->now.ca);
    }
    if (code == CURLE_OK)
        code = set_blob(easy, CURLOPT_SSLCERT_BLOB, tls->now.cert);
    if (code == CURLE_OK && tls->now.cert)
        code = set_blob(easy, CURLOPT_SSLKEY_BLOB, tls->now.key);
    if (code != CURLE_OK)
        return err_set(err, ERR_TLS, "TLS set-up: %s", curl_easy_strerror(code));
    return 0;
}
