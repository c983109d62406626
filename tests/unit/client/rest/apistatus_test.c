#include "client/rest/apistatus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct err from(int status, int retry_after_ms, const char *body)
{
    struct err err = {0};
    apistatus_to_err(status, retry_after_ms, body, strlen(body), &err);
    return err;
}

static void test_codes(void **state)
{
    (void)state;
    static const struct {
        int status;
        enum err_code code;
    } cases[] = {{400, ERR_INVALID},  {401, ERR_UNAUTHORIZED}, {403, ERR_FORBIDDEN},   {404, ERR_NOT_FOUND},
                 {409, ERR_CONFLICT}, {410, ERR_GONE},         {413, ERR_LIMIT},       {415, ERR_INVALID},
                 {422, ERR_INVALID},  {429, ERR_THROTTLED},    {500, ERR_UNAVAILABLE}, {503, ERR_UNAVAILABLE},
                 {504, ERR_TIMEOUT},  {302, ERR_PROTOCOL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct err err = from(cases[i].status, -1, "");
        assert_int_equal(err.code, cases[i].code);
        assert_int_equal(err.http_status, cases[i].status);
    }
}

static void test_status_object(void **state)
{
    (void)state;
    const struct err err = from(404, -1,
                                "{\"kind\":\"Status\",\"message\":\"pods \\\"x\\\" not "
                                "found\",\"reason\":\"NotFound\",\"code\":404}");
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_string_equal(err.msg, "HTTP 404: pods \"x\" not found");
}

static void test_causes_where_there_is_no_message(void **state)
{
    (void)state;
    const struct err err =
        from(422, -1,
             "{\"kind\":\"Status\",\"code\":422,\"details\":{\"causes\":[{\"field\":\"a.b\","
             "\"message\":\"bad\"},{\"message\":\"worse\"}]}}");
    assert_string_equal(err.msg, "HTTP 422: a.b: bad; worse");
}

static void test_retry_after(void **state)
{
    (void)state;
    const char *body = "{\"kind\":\"Status\",\"code\":429,\"details\":{\"retryAfterSeconds\":3}}";
    assert_int_equal(from(429, -1, body).retry_after_ms, 3000);
    assert_int_equal(from(429, 1000, body).retry_after_ms, 1000);
    assert_int_equal(from(503, 1000, "").retry_after_ms, 1000);
    assert_int_equal(from(503, -1, "").retry_after_ms, 0);
    body = "{\"kind\":\"Status\",\"code\":429,\"details\":{\"retryAfterSeconds\":2147483647}}";
    assert_int_equal(from(429, -1, body).retry_after_ms, ERR_RETRY_AFTER_MAX_MS);
    body = "{\"kind\":\"Status\",\"code\":429,\"details\":{\"retryAfterSeconds\":-1}}";
    assert_int_equal(from(429, -1, body).retry_after_ms, 0);
}

static void test_texts_that_decide(void **state)
{
    (void)state;
    assert_int_equal(from(504, -1,
                          "{\"kind\":\"Status\",\"code\":504,\"reason\":\"Timeout\",\"message\":"
                          "\"Too large resource version: 99, current: 5\"}")
                         .code,
                     ERR_GONE);
    assert_int_equal(
        from(500, -1, "{\"kind\":\"Status\",\"code\":500,\"message\":\"etcdserver: request is too large\"}")
            .code,
        ERR_LIMIT);
}

static void test_what_a_proxy_says(void **state)
{
    (void)state;
    const struct err err = from(502, -1, "<html>bad\ngateway");
    assert_int_equal(err.code, ERR_UNAVAILABLE);
    assert_string_equal(err.msg, "HTTP 502: <html>bad");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codes),
        cmocka_unit_test(test_status_object),
        cmocka_unit_test(test_causes_where_there_is_no_message),
        cmocka_unit_test(test_retry_after),
        cmocka_unit_test(test_texts_that_decide),
        cmocka_unit_test(test_what_a_proxy_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
