/*
 * tlspeer: a TLS server in a thread of its own, with certificates made on the spot.
 *
 * script serves one connection after the other, blocking; what it does with the SSL is the test's.
 * A connection whose handshake fails is counted and left. The test's thread reads the counters
 * after tlspeer_close only, or where it knows that nothing is under way.
 */
#ifndef TESTS_UNIT_CLIENT_TLSPEER_H
#define TESTS_UNIT_CLIENT_TLSPEER_H

#include <arpa/inet.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A certificate, and its key. */
struct tlspeer_identity {
    X509 *cert;
    EVP_PKEY *key;
    char *cert_pem;
    char *key_pem;
};

struct tlspeer {
    SSL_CTX *context;
    int listener;
    int port;
    pthread_t thread;
    unsigned connections;
    unsigned handshakes; /* that succeeded */
    char sni[64];        /* of the last handshake */
    void (*script)(struct tlspeer *peer, SSL *ssl, unsigned number);
    void *user;
};

static inline char *tlspeer_text(BIO *bio)
{
    char *bytes;
    const long len = BIO_get_mem_data(bio, &bytes);
    char *text = strndup(bytes, (size_t)len);
    BIO_free(bio);
    return text;
}

static inline void tlspeer_extend(X509 *cert, X509 *issuer, int nid, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, cert, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    X509_add_ext(cert, extension, -1);
    X509_EXTENSION_free(extension);
}

/* names: "IP:127.0.0.1,DNS:x" or NULL for an authority. issuer NULL: signed by itself. Valid from
 * yesterday for so many days. */
static inline struct tlspeer_identity tlspeer_issue(const char *subject, const char *names,
                                                    const struct tlspeer_identity *issuer, int days)
{
    static long serial;
    struct tlspeer_identity made = {.cert = X509_new(), .key = EVP_EC_gen("P-256")};
    X509_NAME *name = X509_get_subject_name(made.cert);
    X509_set_version(made.cert, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(made.cert), ++serial);
    X509_gmtime_adj(X509_getm_notBefore(made.cert), -86400L);
    X509_gmtime_adj(X509_getm_notAfter(made.cert), (days - 1) * 86400L - 60);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)subject, -1, -1, 0);
    X509_set_issuer_name(made.cert, issuer ? X509_get_subject_name(issuer->cert) : name);
    X509_set_pubkey(made.cert, made.key);
    X509 *signer = issuer ? issuer->cert : made.cert;
    if (names)
        tlspeer_extend(made.cert, signer, NID_subject_alt_name, names);
    tlspeer_extend(made.cert, signer, NID_basic_constraints,
                   names ? "critical,CA:FALSE" : "critical,CA:TRUE");
    X509_sign(made.cert, issuer ? issuer->key : made.key, EVP_sha256());
    BIO *cert = BIO_new(BIO_s_mem());
    BIO *key = BIO_new(BIO_s_mem());
    PEM_write_bio_X509(cert, made.cert);
    PEM_write_bio_PrivateKey(key, made.key, NULL, NULL, 0, NULL, NULL);
    made.cert_pem = tlspeer_text(cert);
    made.key_pem = tlspeer_text(key);
    return made;
}

static inline void tlspeer_identity_free(struct tlspeer_identity *identity)
{
    X509_free(identity->cert);
    EVP_PKEY_free(identity->key);
    free(identity->cert_pem);
    free(identity->key_pem);
}

static inline void tlspeer_serve(struct tlspeer *peer, int fd)
{
    SSL *ssl = SSL_new(peer->context);
    SSL_set_fd(ssl, fd);
    const unsigned number = peer->connections++;
    if (SSL_accept(ssl) == 1) {
        peer->handshakes++;
        const char *name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
        snprintf(peer->sni, sizeof peer->sni, "%s", name ? name : "");
        peer->script(peer, ssl, number);
        SSL_shutdown(ssl);
    }
    /* Not a reset: the client shall read what we said last. */
    char rest[1024];
    shutdown(fd, SHUT_WR);
    while (read(fd, rest, sizeof rest) > 0)
        continue;
    SSL_free(ssl);
    close(fd);
}

static inline void *tlspeer_run(void *user)
{
    struct tlspeer *peer = user;
    int fd;
    while ((fd = accept(peer->listener, NULL, NULL)) >= 0)
        tlspeer_serve(peer, fd);
    return NULL;
}

/* The one protocol, if the client offers it. */
static inline int tlspeer_choose(SSL *ssl, const unsigned char **out, unsigned char *out_len,
                                 const unsigned char *offered, unsigned offered_len, void *protocol)
{
    const char *wanted = protocol;
    (void)ssl;
    for (unsigned i = 0; i < offered_len; i += offered[i] + 1U) {
        if (offered[i] == strlen(wanted) && memcmp(offered + i + 1, wanted, offered[i]) == 0) {
            *out = offered + i + 1;
            *out_len = offered[i];
            return SSL_TLSEXT_ERR_OK;
        }
    }
    return SSL_TLSEXT_ERR_NOACK;
}

/* protocol: for ALPN, or NULL. client_ca: clients must have a certificate of it; or NULL. */
static inline void tlspeer_open(struct tlspeer *peer, const struct tlspeer_identity *identity, char *protocol,
                                const struct tlspeer_identity *client_ca,
                                void (*script)(struct tlspeer *, SSL *, unsigned))
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    *peer = (struct tlspeer){.script = script, .context = SSL_CTX_new(TLS_server_method())};
    signal(SIGPIPE, SIG_IGN);
    SSL_CTX_use_certificate(peer->context, identity->cert);
    SSL_CTX_use_PrivateKey(peer->context, identity->key);
    if (protocol)
        SSL_CTX_set_alpn_select_cb(peer->context, tlspeer_choose, protocol);
    if (client_ca) {
        X509_STORE_add_cert(SSL_CTX_get_cert_store(peer->context), client_ca->cert);
        SSL_CTX_set_verify(peer->context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    }
    peer->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bind(peer->listener, (struct sockaddr *)&address, sizeof address);
    listen(peer->listener, 16);
    getsockname(peer->listener, (struct sockaddr *)&address, &len);
    peer->port = ntohs(address.sin_port);
    pthread_create(&peer->thread, NULL, tlspeer_run, peer);
}

/* After the clients are gone. */
static inline void tlspeer_close(struct tlspeer *peer)
{
    shutdown(peer->listener, SHUT_RDWR);
    pthread_join(peer->thread, NULL);
    close(peer->listener);
    SSL_CTX_free(peer->context);
}

/* A script: answers each request on the connection with 200. */
static inline void tlspeer_ok(struct tlspeer *peer, SSL *ssl, unsigned number)
{
    static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    char request[8192];
    (void)peer;
    (void)number;
    while (SSL_read(ssl, request, sizeof request) > 0)
        SSL_write(ssl, answer, (int)strlen(answer));
}

#endif
