#include "client/http/tls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <curl/curl.h>
#include <stdio.h>

#include "client/base/file.h"
#include "client/base/mem.h"
#include "client/http/http.h"
#include "tests/unit/client/tempdir.h"

#include "tests/unit/client/pem.h"
#include "tests/unit/client/tlspeer.h"

static char cert_a[] = PEM_A_CERT;
static char key_a[] = PEM_A_KEY;
static char key_b[] = PEM_B_KEY;
static char junk[] = "junk";

static struct tls *load(const struct tls_options *options)
{
    struct tls *tls;
    struct err err;
    if (tls_new(options, &tls, &err) != 0)
        fail_msg("%s", err.msg);
    return tls;
}

static void refuses(const struct tls_options *options, enum err_code code, const char *part)
{
    struct tls *tls;
    struct err err;
    assert_int_equal(tls_new(options, &tls, &err), -1);
    assert_null(tls);
    if (err.code != code || !strstr(err.msg, part))
        fail_msg("%s: %s", err_code_name(err.code), err.msg);
}

static void test_what_is_wrong_is_said(void **state)
{
    (void)state;
    char missing[] = "/nonexistent/ca";
    tls_free(load(&(struct tls_options){0}));
    tls_free(
        load(&(struct tls_options){.ca_data = cert_a, .client_cert_data = cert_a, .client_key_data = key_a}));
    refuses(&(struct tls_options){.ca_data = junk}, ERR_INVALID, "certificate-authority");
    refuses(&(struct tls_options){.ca_file = missing}, ERR_NOT_FOUND, "/nonexistent/ca");
    refuses(&(struct tls_options){.client_cert_data = junk, .client_key_data = key_a}, ERR_INVALID,
            "client-certificate");
    refuses(&(struct tls_options){.client_cert_data = cert_a, .client_key_data = key_b}, ERR_TLS,
            "is not the key");
    refuses(&(struct tls_options){.client_cert_data = cert_a, .client_key_data = junk}, ERR_TLS,
            "is not the key");
    refuses(&(struct tls_options){.client_cert_data = cert_a}, ERR_INVALID, "without a key");
}

static void test_reload(void **state)
{
    (void)state;
    cleanup_mem char *ca = tempdir_write("ca", PEM_A_CERT);
    const struct tls_options options = {.ca_file = ca};
    struct tls *tls = load(&options);
    bool has_changed;
    struct err err;
    assert_int_equal(tls_reload(tls, &has_changed, &err), 0);
    assert_false(has_changed);
    mem_free(tempdir_write("ca", "half a fi"));
    assert_int_equal(tls_reload(tls, &has_changed, &err), -1);
    assert_false(has_changed);
    mem_free(tempdir_write("ca", PEM_A_CERT));
    assert_int_equal(tls_reload(tls, &has_changed, &err), 0);
    assert_false(has_changed);
    mem_free(tempdir_write("ca", PEM_A_CERT PEM_B_CERT));
    assert_int_equal(tls_reload(tls, &has_changed, &err), 0);
    assert_true(has_changed);
    tls_free(tls);
}

static void test_an_identity_from_elsewhere(void **state)
{
    (void)state;
    struct tls *tls = load(&(struct tls_options){.client_cert_data = cert_a, .client_key_data = key_a});
    bool has_changed;
    struct err err;
    assert_int_equal(tls_set_identity(tls, PEM_B_CERT, PEM_A_KEY, &has_changed, &err), -1);
    assert_int_equal(tls_set_identity(tls, PEM_B_CERT, PEM_B_KEY, &has_changed, &err), 0);
    assert_true(has_changed);
    assert_int_equal(tls_set_identity(tls, PEM_B_CERT, PEM_B_KEY, &has_changed, &err), 0);
    assert_false(has_changed);
    /* without it the options's counts again */
    assert_int_equal(tls_set_identity(tls, NULL, NULL, &has_changed, &err), 0);
    assert_true(has_changed);
    assert_int_equal(tls_reload(tls, &has_changed, &err), 0);
    assert_false(has_changed);
    assert_int_equal(tls_set_identity(tls, NULL, NULL, &has_changed, &err), 0);
    assert_false(has_changed);
    assert_int_equal(tls_set_identity(tls, PEM_A_CERT, PEM_A_KEY, &has_changed, &err), 0);
    assert_false(has_changed);
    tls_free(tls);
}

static void test_apply(void **state)
{
    (void)state;
    struct tls_options options = {
        .client_cert_data = cert_a, .client_key_data = key_a, .insecure_skip_verify = true};
    struct tls *tls = load(&options);
    struct err err;
    CURL *easy = curl_easy_init();
    assert_int_equal(tls_apply(tls, easy, &err), 0);
    curl_easy_cleanup(easy);
    assert_null(tls_server_name(tls));
    tls_free(tls);
}

/* ---- handshakes ---- */

struct exchange {
    bool is_done;
    struct err err;
};

static void on_exchange_done(void *user, const struct err *err)
{
    struct exchange *x = user;
    x->is_done = true;
    err_copy(&x->err, err);
}

static const struct http_handler exchange_handler = {NULL, NULL, on_exchange_done};

static void get(uv_loop_t *loop, struct http *http, int port, struct exchange *x)
{
    char url[64];
    snprintf(url, sizeof url, "https://127.0.0.1:%d/", port);
    *x = (struct exchange){0};
    const struct http_params params = {
        .method = "GET", .url = url, .profile = HTTP_SHORT, .timeout_ms = 20000};
    http_start(http, &params, &exchange_handler, x);
    while (!x->is_done)
        uv_run(loop, UV_RUN_ONCE);
}

/* One request by a client of its own. */
static struct err ask(const struct tls_options *options, int port)
{
    uv_loop_t loop;
    struct http *http;
    struct exchange x;
    struct err err;
    struct tls *tls = load(options);
    uv_loop_init(&loop);
    assert_int_equal(http_new(&loop, &(struct http_options){.tls = tls, .proxy_url = ""}, &http, &err), 0);
    get(&loop, http, port, &x);
    http_close(http, NULL, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    tls_free(tls);
    return x.err;
}

static void expects(const struct tls_options *options, int port, enum err_code code, const char *part)
{
    const struct err err = ask(options, port);
    if (err.code != code || !strstr(err.msg, part))
        fail_msg("%s: %s", err_code_name(err.code), err.msg);
}

/* Each line a server's certificate, and what a client makes of it. */
static void test_whom_we_trust(void **state)
{
    (void)state;
    char name[] = "api.example";
    struct tlspeer_identity ca = tlspeer_issue("ca", NULL, NULL, 10);
    struct tlspeer_identity other_ca = tlspeer_issue("other", NULL, NULL, 10);
    struct tlspeer_identity stale_ca = tlspeer_issue("stale", NULL, NULL, 1);
    const struct {
        const char *names;
        int days;
        struct tls_options options;
        enum err_code code;
        const char *part;
    } cases[] = {
        {"IP:127.0.0.1", 10, {.ca_data = ca.cert_pem}, ERR_NONE, ""},
        {"IP:127.0.0.1", 10, {.ca_data = other_ca.cert_pem}, ERR_TLS, "unable to get local issuer"},
        {"IP:127.0.0.1", 10, {.ca_data = stale_ca.cert_pem}, ERR_TLS, "certificate"},
        {"IP:127.0.0.1", 10, {0}, ERR_TLS, "unable to get local issuer"},
        {"IP:127.0.0.1", 1, {.ca_data = ca.cert_pem}, ERR_TLS, "certificate has expired"},
        {"IP:127.0.0.2", 10, {.ca_data = ca.cert_pem}, ERR_TLS, "127.0.0.1"},
        {"DNS:api.example", 10, {.ca_data = ca.cert_pem}, ERR_TLS, "127.0.0.1"},
        {"DNS:api.example", 10, {.ca_data = ca.cert_pem, .server_name = name}, ERR_NONE, ""},
        {"IP:127.0.0.1", 10, {.ca_data = ca.cert_pem, .server_name = name}, ERR_TLS, "api.example"},
        {"DNS:other.example", 1, {.insecure_skip_verify = true}, ERR_NONE, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tlspeer peer;
        struct tlspeer_identity server = tlspeer_issue("server", cases[i].names, &ca, cases[i].days);
        tlspeer_open(&peer, &server, NULL, NULL, tlspeer_ok);
        expects(&cases[i].options, peer.port, cases[i].code, cases[i].part);
        tlspeer_close(&peer);
        if (cases[i].options.server_name)
            assert_string_equal(peer.sni, name);
        tlspeer_identity_free(&server);
    }
    tlspeer_identity_free(&stale_ca);
    tlspeer_identity_free(&other_ca);
    tlspeer_identity_free(&ca);
}

static void test_who_we_are(void **state)
{
    (void)state;
    struct tlspeer peer;
    struct tlspeer_identity ca = tlspeer_issue("ca", NULL, NULL, 10);
    struct tlspeer_identity server = tlspeer_issue("server", "IP:127.0.0.1", &ca, 10);
    struct tlspeer_identity client = tlspeer_issue("client", "DNS:client", &ca, 10);
    struct tlspeer_identity stale = tlspeer_issue("client", "DNS:client", &ca, 1);
    tlspeer_open(&peer, &server, NULL, &ca, tlspeer_ok);
    expects(&(struct tls_options){.ca_data = ca.cert_pem,
                                  .client_cert_data = client.cert_pem,
                                  .client_key_data = client.key_pem},
            peer.port, ERR_NONE, "");
    /* With TLS 1.3 the server's refusal comes behind the handshake. */
    expects(&(struct tls_options){.ca_data = ca.cert_pem}, peer.port, ERR_NETWORK, "certificate required");
    expects(&(struct tls_options){.ca_data = ca.cert_pem,
                                  .client_cert_data = stale.cert_pem,
                                  .client_key_data = stale.key_pem},
            peer.port, ERR_NETWORK, "certificate expired");
    tlspeer_close(&peer);
    assert_int_equal(peer.handshakes, 1);
    tlspeer_identity_free(&stale);
    tlspeer_identity_free(&client);
    tlspeer_identity_free(&server);
    tlspeer_identity_free(&ca);
}

/* A server whose authority was exchanged, and whose new one arrives in the file. */
static void test_a_changed_ca(void **state)
{
    (void)state;
    uv_loop_t loop;
    struct http *http;
    struct tlspeer peer;
    struct exchange x;
    struct err err;
    bool has_changed;
    struct tlspeer_identity old_ca = tlspeer_issue("old", NULL, NULL, 10);
    struct tlspeer_identity ca = tlspeer_issue("new", NULL, NULL, 10);
    struct tlspeer_identity server = tlspeer_issue("server", "IP:127.0.0.1", &ca, 10);
    cleanup_mem char *path = tempdir_write("changed-ca", old_ca.cert_pem);
    const struct tls_options options = {.ca_file = path};
    struct tls *tls = load(&options);
    uv_loop_init(&loop);
    assert_int_equal(http_new(&loop, &(struct http_options){.tls = tls, .proxy_url = ""}, &http, &err), 0);
    tlspeer_open(&peer, &server, NULL, NULL, tlspeer_ok);
    get(&loop, http, peer.port, &x);
    assert_int_equal(x.err.code, ERR_TLS);
    mem_free(tempdir_write("changed-ca", ca.cert_pem));
    assert_int_equal(tls_reload(tls, &has_changed, &err), 0);
    assert_true(has_changed);
    http_reset(http, "the certificates changed");
    get(&loop, http, peer.port, &x);
    assert_int_equal(x.err.code, ERR_NONE);
    http_close(http, NULL, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    tlspeer_close(&peer);
    tls_free(tls);
    tlspeer_identity_free(&server);
    tlspeer_identity_free(&ca);
    tlspeer_identity_free(&old_ca);
}

/* Whoever sets a variable does not get the keys of our connections. */
static void test_keys_are_not_logged(void **state)
{
    (void)state;
    cleanup_mem char *path = tempdir_path("keylog");
    struct tlspeer_identity authority = tlspeer_issue("ca", NULL, NULL, 10);
    struct tlspeer_identity server = tlspeer_issue("server", "IP:127.0.0.1", &authority, 10);
    struct tlspeer peer;
    const struct tls_options options = {.ca_data = authority.cert_pem};
    tlspeer_open(&peer, &server, NULL, NULL, tlspeer_ok);
    assert_int_equal(setenv("SSLKEYLOGFILE", path, 1), 0);
    expects(&options, peer.port, ERR_NONE, "");
    unsetenv("SSLKEYLOGFILE");
    tlspeer_close(&peer);
    assert_false(file_exists(path));
    tlspeer_identity_free(&server);
    tlspeer_identity_free(&authority);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_are_not_logged), /* first: curl looks when it starts */
        cmocka_unit_test(test_what_is_wrong_is_said),
        cmocka_unit_test(test_reload),
        cmocka_unit_test(test_an_identity_from_elsewhere),
        cmocka_unit_test(test_apply),
        cmocka_unit_test(test_whom_we_trust),
        cmocka_unit_test(test_who_we_are),
        cmocka_unit_test(test_a_changed_ca),
    };
    return cmocka_run_group_tests(tests, tempdir_make, tempdir_remove);
}
