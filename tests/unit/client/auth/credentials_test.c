#include "client/auth/credentials.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <json-c/json.h>
#include <stdio.h>

#include "client/base/mem.h"
#include "tests/unit/client/pem.h"
#include "tests/unit/client/tempdir.h"

static void on_closed(void *user)
{
    *(bool *)user = true;
}

static bool has_line(const struct http_headers *headers, const char *line)
{
    for (size_t i = 0; i < headers->count; i++) {
        if (strcmp(headers->lines[i], line) == 0)
            return true;
    }
    return false;
}

static void test_a_token_and_impersonation(void **state)
{
    (void)state;
    char token[] = "t0";
    char user[] = "jane";
    char uid[] = "7";
    char group[] = "devs";
    char *groups[] = {group};
    struct config_pair extra = {(char[]){"Scopes/a"}, (char[]){"view"}};
    const struct config config = {.token = token,
                                  .as_user = user,
                                  .as_uid = uid,
                                  .as_groups = groups,
                                  .n_as_groups = 1,
                                  .as_extra = &extra,
                                  .n_as_extra = 1};
    struct http_headers headers = {0};
    struct credentials *c = credentials_new(NULL, &config, NULL);
    assert_true(credentials_are_ready(c));
    credentials_add(c, 0, &headers);
    assert_int_equal(headers.count, 5);
    assert_true(has_line(&headers, "Authorization: Bearer t0"));
    assert_true(has_line(&headers, "Impersonate-User: jane"));
    assert_true(has_line(&headers, "Impersonate-Uid: 7"));
    assert_true(has_line(&headers, "Impersonate-Group: devs"));
    assert_true(has_line(&headers, "Impersonate-Extra-scopes%2Fa: view"));
    assert_false(credentials_expire(c));
    http_headers_deinit(&headers);
    bool is_closed = false;
    credentials_close(c, on_closed, &is_closed);
    assert_true(is_closed);
}

static void test_what_others_repeat_is_redacted(void **state)
{
    (void)state;
    char token[] = "eyJhbGciOiJSUzI1NiJ9.payload.signature";
    char password[] = "geheim";
    static const char *const rows[][2] = {
        {"", ""},
        {"no: Bearer eyJhbGciOiJSUzI1NiJ9.payload.signature!", "no: Bearer [redacted]!"},
        {"cut at eyJhbGciOiJS", "cut at [redacted]"},
        {"eyJhbGciOiJ is too little to tell", "eyJhbGciOiJ is too little to tell"},
        {"geheim and geheim", "[redac and [redac"},
        {"eyJhbGciOiJSUzI1NiJ9.payload.signatureeyJhbGciOiJSUzI1NiJ9.payload.signature",
         "[redacted][redacted]"},
    };
    const struct config config = {.token = token, .password = password};
    struct credentials *c = credentials_new(NULL, &config, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s", rows[i][0]);
        credentials_redact(c, text);
        assert_string_equal(text, rows[i][1]);
    }
    bool is_closed = false;
    credentials_close(c, on_closed, &is_closed);
}

/* An answer to an older request repeats a token that was read anew since. */
static void test_what_was_sent_before_is_redacted(void **state)
{
    (void)state;
    cleanup_mem char *path = tempdir_write("rotated", "the-first-token");
    const struct config config = {.token_file = path,
                                  .username = (char[]){"joe"},
                                  .password = (char[]){"geheim"},
                                  .proxy_url = (char[]){"http://ann:secret-of-ann@proxy"}};
    struct credentials *c = credentials_new(NULL, &config, NULL);
    for (int i = 0; i < 3; i++) {
        struct http_headers headers = {0};
        credentials_add(c, 0, &headers);
        http_headers_deinit(&headers);
        if (i == 0)
            mem_free(tempdir_write("rotated", "the-second-token"));
        assert_true(credentials_expire(c));
    }
    char text[300] = "the-first-token the-second-token Basic am9lOmdlaGVpbQ== ann:secret-of-ann "
                     "Authorization: Bearer of-somebody-else";
    credentials_redact(c, text);
    assert_string_equal(
        text, "[redacted] [redacted] Basic [redacted]Q== [redacted] Authorization: Bearer [redacted]");
    bool is_closed = false;
    credentials_close(c, on_closed, &is_closed);
}

struct outcome {
    int dones;
    struct err err;
    bool is_new_identity;
};

static void on_done(void *user, const struct err *err, bool is_new_identity)
{
    struct outcome *o = user;
    o->dones++;
    o->is_new_identity = is_new_identity;
    err_copy(&o->err, err);
}

static void refresh(uv_loop_t *loop, struct credentials *c, struct outcome *o)
{
    const int before = o->dones;
    credentials_refresh(c, on_done, o);
    while (o->dones == before)
        uv_run(loop, UV_RUN_ONCE);
}

static void write_plugin(const char *path, const char *status)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "#!/bin/sh\ncat "
            "<<'END'\n{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\","
            "\"status\":{%s}}\nEND\n",
            status);
    fclose(file);
}

/* As client-go's: who has a token alone now is no longer who the certificate said. */
static void test_a_plugin_that_gives_up_its_certificate(void **state)
{
    (void)state;
    char api_version[] = "client.authentication.k8s.io/v1";
    cleanup_mem char *path = tempdir_path("giving");
    cleanup_mem char *chmod_it = mem_printf("chmod 700 %s", path);
    struct config_exec exec = {.api_version = api_version, .command = path};
    const struct config config = {.exec = &exec};
    struct outcome o = {0};
    struct tls *tls;
    struct err err;
    uv_loop_t loop;
    uv_loop_init(&loop);
    struct json_object *cert = json_object_new_string(PEM_A_CERT), *key = json_object_new_string(PEM_A_KEY);
    cleanup_mem char *pair = mem_printf("\"clientCertificateData\":%s,\"clientKeyData\":%s",
                                        json_object_to_json_string(cert), json_object_to_json_string(key));
    json_object_put(cert);
    json_object_put(key);
    write_plugin(path, pair);
    assert_int_equal(system(chmod_it), 0);
    assert_int_equal(tls_new(&config.tls, &tls, &err), 0);
    struct credentials *c = credentials_new(&loop, &config, tls);
    refresh(&loop, c, &o);
    assert_int_equal(o.err.code, ERR_NONE);
    assert_true(o.is_new_identity);
    write_plugin(path, "\"token\":\"alone\"");
    refresh(&loop, c, &o);
    assert_int_equal(o.err.code, ERR_NONE);
    assert_true(o.is_new_identity);
    refresh(&loop, c, &o);
    assert_false(o.is_new_identity);
    bool is_closed = false;
    credentials_close(c, on_closed, &is_closed);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    tls_free(tls);
}

static void test_a_plugin(void **state)
{
    (void)state;
    char api_version[] = "client.authentication.k8s.io/v1";
    cleanup_mem char *path = tempdir_path("plugin");
    cleanup_mem char *chmod_it = mem_printf("chmod 700 %s", path);
    struct config_exec exec = {.api_version = api_version, .command = path};
    const struct config config = {.exec = &exec};
    struct outcome o = {0};
    struct http_headers headers = {0};
    struct tls *tls;
    struct err err;
    uv_loop_t loop;
    uv_loop_init(&loop);
    write_plugin(path, "\"token\":\"from-plugin\"");
    assert_int_equal(system(chmod_it), 0);
    assert_int_equal(tls_new(&config.tls, &tls, &err), 0);
    struct credentials *c = credentials_new(&loop, &config, tls);
    assert_false(credentials_are_ready(c));
    refresh(&loop, c, &o);
    assert_int_equal(o.err.code, ERR_NONE);
    assert_false(o.is_new_identity);
    assert_true(credentials_are_ready(c));
    credentials_add(c, 0, &headers);
    assert_true(has_line(&headers, "Authorization: Bearer from-plugin"));
    http_headers_deinit(&headers);
    assert_true(credentials_expire(c));
    assert_false(credentials_are_ready(c));
    write_plugin(path, "\"clientCertificateData\":\"x\",\"clientKeyData\":\"y\"");
    refresh(&loop, c, &o);
    assert_int_equal(o.err.code, ERR_INVALID);
    assert_false(credentials_are_ready(c)); /* what cannot be used is not had */
    write_plugin(path, "\"token\":\"old\",\"expirationTimestamp\":\"2001-01-01T00:00:00Z\"");
    refresh(&loop, c, &o);
    assert_int_equal(o.err.code, ERR_NONE);
    assert_false(credentials_are_ready(c));
    bool is_closed = false;
    credentials_close(c, on_closed, &is_closed);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_true(is_closed);
    assert_int_equal(uv_loop_close(&loop), 0);
    tls_free(tls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_token_and_impersonation),
        cmocka_unit_test(test_what_others_repeat_is_redacted),
        cmocka_unit_test(test_what_was_sent_before_is_redacted),
        cmocka_unit_test(test_a_plugin),
        cmocka_unit_test(test_a_plugin_that_gives_up_its_certificate),
    };
    return cmocka_run_group_tests(tests, tempdir_make, tempdir_remove);
}
