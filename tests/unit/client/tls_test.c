#include "client/tls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <curl/curl.h>
#include <stdio.h>

#include "client/mem.h"
#include "tests/unit/client/pem.h"
static char directory[] = "/tmp/vapcheck-test-XXXXXX";

static char *write_file(const char *name, const char *text)
{
    char *path = mem_printf("%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static char cert_a[] = PEM_A_CERT;
static char key_a[] = PEM_A_KEY;
static char key_b[] = PEM_B_KEY;
static char junk[] = "junk";

static struct tls *load(const struct config *config)
{
    struct tls *tls;
    struct err err;
    if (tls_new(config, &tls, &err) != 0)
        fail_msg("%s", err.msg);
    return tls;
}

static void refuses(const struct config *config, enum err_code code, const char *part)
{
    struct tls *tls;
    struct err err;
    assert_int_equal(tls_new(config, &tls, &err), -1);
    assert_null(tls);
    if (err.code != code || !strstr(err.msg, part))
        fail_msg("%s: %s", err_code_name(err.code), err.msg);
}

static void test_what_is_wrong_is_said(void **state)
{
    (void)state;
    char missing[] = "/nonexistent/ca";
    tls_free(load(&(struct config){0}));
    tls_free(load(&(struct config){.ca_data = cert_a, .client_cert_data = cert_a, .client_key_data = key_a}));
    refuses(&(struct config){.ca_data = junk}, ERR_INVALID, "certificate-authority");
    refuses(&(struct config){.ca_file = missing}, ERR_NOT_FOUND, "/nonexistent/ca");
    refuses(&(struct config){.client_cert_data = junk, .client_key_data = key_a}, ERR_INVALID,
            "client-certificate");
    refuses(&(struct config){.client_cert_data = cert_a, .client_key_data = key_b}, ERR_TLS,
            "is not the key");
    refuses(&(struct config){.client_cert_data = cert_a, .client_key_data = junk}, ERR_TLS, "is not the key");
    refuses(&(struct config){.client_cert_data = cert_a}, ERR_INVALID, "without a key");
}

static void test_reload(void **state)
{
    (void)state;
    cleanup_mem char *ca = write_file("ca", PEM_A_CERT);
    const struct config config = {.ca_file = ca};
    struct tls *tls = load(&config);
    bool has_changed;
    struct err err;
    assert_int_equal(tls_reload(tls, &has_changed, &err), 0);
    assert_false(has_changed);
    mem_free(write_file("ca", "half a fi"));
    assert_int_equal(tls_reload(tls, &has_changed, &err), -1);
    assert_false(has_changed);
    mem_free(write_file("ca", PEM_A_CERT));
    assert_int_equal(tls_reload(tls, &has_changed, &err), 0);
    assert_false(has_changed);
    mem_free(write_file("ca", PEM_A_CERT PEM_B_CERT));
    assert_int_equal(tls_reload(tls, &has_changed, &err), 0);
    assert_true(has_changed);
    tls_free(tls);
}

static void test_an_identity_from_elsewhere(void **state)
{
    (void)state;
    struct tls *tls = load(&(struct config){.client_cert_data = cert_a, .client_key_data = key_a});
    bool has_changed;
    struct err err;
    assert_int_equal(tls_set_identity(tls, PEM_B_CERT, PEM_A_KEY, &has_changed, &err), -1);
    assert_int_equal(tls_set_identity(tls, PEM_B_CERT, PEM_B_KEY, &has_changed, &err), 0);
    assert_true(has_changed);
    assert_int_equal(tls_set_identity(tls, PEM_B_CERT, PEM_B_KEY, &has_changed, &err), 0);
    assert_false(has_changed);
    tls_free(tls);
}

static void test_apply(void **state)
{
    (void)state;
    struct config config = {
        .client_cert_data = cert_a, .client_key_data = key_a, .insecure_skip_tls_verify = true};
    struct tls *tls = load(&config);
    struct err err;
    CURL *easy = curl_easy_init();
    assert_int_equal(tls_apply(tls, easy, &err), 0);
    curl_easy_cleanup(easy);
    assert_null(tls_server_name(tls));
    tls_free(tls);
}

static void test_remove_the_directory(void **state)
{
    (void)state;
    cleanup_mem char *command = mem_printf("rm -r %s", directory);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_wrong_is_said),      cmocka_unit_test(test_reload),
        cmocka_unit_test(test_an_identity_from_elsewhere), cmocka_unit_test(test_apply),
        cmocka_unit_test(test_remove_the_directory),
    };
    return mkdtemp(directory) ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
