#include "client/base/redact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bytes/base64.h"
#include "client/base/mem.h"

enum { ROOM = 512 };

static const char token[] = "eyJhbGciOiJSUzI1NiJ9.pay+load/x.sig_nature-";

static void test_as_it_is_and_escaped(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        {token, "", ""},
        {token, "no: Bearer eyJhbGciOiJSUzI1NiJ9.pay+load/x.sig_nature-!", "no: Bearer [redacted]!"},
        {token, "cut at eyJhbGciOiJS", "cut at [redacted]"},
        {token, "eyJhbGciOiJ is too little", "eyJhbGciOiJ is too little"},
        {token, "q=eyJhbGciOiJSUzI1NiJ9.pay%2Bload%2fx.sig_nature-&x", "q=[redacted]&x"},
        {token, "%65yJhbGciOiJSUzI1%4EiJ9%2Epay", "[redacted]"},
        {token, "\"eyJhbGciOiJSUzI1NiJ9.pay+load\\/x.sig_nature-\"", "\"[redacted]\""},
        {token, "\\u0065yJhbGciOiJSUzI1NiJ9\\u002Epay\\u002bload", "[redacted]"},
        {"ge\"h<e>i&m'!", "x ge\\\"h<e>i&m'! y", "x [redacted] y"},
        {"ge\"h<e>i&m'!", "x ge&quot;h&lt;e&gt;i&amp;m&#39;! y", "x [redacted] y"},
        {"100%25!", "at 100%25!", "at [redact"}, /* what looks encoded in the secret itself */
        {"geheim", "geheim and geheim", "[redac and [redac"},
        {"", "text", "text"},
        {"x", "%", "%"},
        {"x", "\\", "\\"},
        {"x", "\\u", "\\u"},
        {"abcdef", "%61%62%6", "%61%62%6"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[ROOM];
        snprintf(text, sizeof text, "%s", rows[i][1]);
        redact_secret(text, rows[i][0]);
        assert_string_equal(text, rows[i][2]);
    }
}

/* Wherever the secret begins in what was coded, and whatever follows; in both alphabets. */
static void test_in_base64(void **state)
{
    (void)state;
    static const char *const secrets[] = {token, "geheim", "?>?>?>~~~"};
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++) {
        for (size_t before = 0; before < 7; before++) {
            for (size_t after = 0; after < 4; after++) {
                char plain[ROOM], text[ROOM];
                snprintf(plain, sizeof plain, "%.*s%s%.*s", (int)before, "user:x:", secrets[i], (int)after,
                         "abc");
                cleanup_mem char *coded = mem_zalloc(BASE64_LENGTH(strlen(plain)) + 1);
                base64_encode(plain, strlen(plain), coded);
                for (char *p = coded; after % 2 && *p; p++)
                    *p = *p == '+' ? '-' : *p == '/' ? '_' : *p;
                snprintf(text, sizeof text, "Basic %s.", coded);
                redact_secret(text, secrets[i]);
                /* of its code at most the characters stay that belong to its neighbours, too */
                assert_non_null(strstr(text, "[redac"));
                char *end = strstr(text, "[redac");
                assert_true((size_t)(end - text) <= strlen("Basic ") + (before * 8 + 5) / 6 + 1);
            }
        }
    }
    char text[ROOM] = "JWVoZWltIGlzIG5vdCBpdA==";
    redact_secret(text, "geheim");
    assert_string_equal(text, "JWVoZWltIGlzIG5vdCBpdA==");
}

static void test_headers(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"Authorization: Basic YTpi is not taken", "Authorization: Basic [red is not taken"},
        {"authorization:bearer abcdefghijkl, x", "authorization:bearer [redacted], x"},
        {"{\"Authorization\": [\"Basic YWRtaW46Z2VoZWlt\"]}", "{\"Authorization\": [\"Basic [redacted]\"]}"},
        {"Proxy-Authorization: Digest username=\"a\", response=\"b\"",
         "Proxy-Authorization: [redacted]\"a\", response=\"b\""},
        {"Authorization: s3cret-of-ours\r\nHost: x", "Authorization: [redacted]\r\nHost: x"},
        {"Authorization failed", "Authorization failed"},
        {"Authorization:", "Authorization:"},
        {"no Authorization: Basic", "no Authorization: Basic"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[ROOM];
        snprintf(text, sizeof text, "%s", rows[i][0]);
        redact_headers(text);
        assert_string_equal(text, rows[i][1]);
    }
}

static void test_urls(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"http://joe:geheim99@host:80/x", "http://[redacted]@host:80/x"},
        {"Unsupported proxy syntax in 'http://joe:ge heim@host:x'",
         "Unsupported proxy syntax in 'http://[redacted]@host:x'"},
        {"to https://host/a@b and http://u:p@h", "to https://host/a@b and http://[re@h"},
        {"https://host/ mail a@b", "https://host/ mail a@b"},
        {"://", "://"},
        {"http://joe:ge@heim/x@host", "http://[redacted]@host"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[ROOM];
        snprintf(text, sizeof text, "%s", rows[i][0]);
        redact_urls(text);
        if (strstr(rows[i][0], "a@b and"))
            assert_null(strstr(text, "u:p"));
        else
            assert_string_equal(text, rows[i][1]);
    }
}

static void test_proxies(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        {"http://joe:ge%40heim@host:1", "joe:ge@heim at joe:ge%40heim", "[redacted] at [redacted]"},
        {"joe:gehe im@host", "Could not resolve proxy: joe:gehe im@host",
         "Could not resolve proxy: [redacted]@host"},
        {"joe:geheim99@host", "password geheim99", "password [redacte"},
        {"http://joe:geheim99@host", "Basic am9lOmdlaGVpbTk5 refused", "Basic [redacted] refused"},
        {"http://host", "http://host", "http://host"},
        {NULL, "x", "x"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[ROOM];
        snprintf(text, sizeof text, "%s", rows[i][1]);
        redact_proxy(text, rows[i][0]);
        assert_string_equal(text, rows[i][2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_it_is_and_escaped),
        cmocka_unit_test(test_in_base64),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_urls),
        cmocka_unit_test(test_proxies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
