#include "client/http/url.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"

static void test_parse(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_tls;
        const char *host;
        unsigned port;
    } cases[] = {{"https://example.com", true, "example.com", 443},
                 {"https://10.0.0.1:6443/k8s/clusters/c-1", true, "10.0.0.1", 6443},
                 {"http://[::1]:8080/", false, "::1", 8080},
                 {"HTTPS://[fd00::1]", true, "fd00::1", 443},
                 {"http://localhost", false, "localhost", 80}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct url u;
        struct err err;
        assert_int_equal(url_parse(cases[i].text, &u, &err), 0);
        assert_int_equal(u.is_tls, cases[i].is_tls);
        assert_string_equal(u.host, cases[i].host);
        assert_int_equal(u.port, cases[i].port);
    }
}

static void test_parse_refuses(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "example.com:6443",
                                      "ftp://x",
                                      "https://",
                                      "https://:443",
                                      "https://x:",
                                      "https://x:/a",
                                      "https://[::1]:",
                                      "https://x:0",
                                      "https://x:65536",
                                      "https://x:4a",
                                      "https://[::1",
                                      "https://[::1]x",
                                      "https://u:p@x",
                                      "https://x/?a=b",
                                      "https://x/#f",
                                      "https://x/a b",
                                      "https://x\n.y"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct url u;
        struct err err = {0};
        assert_int_equal(url_parse(bad[i], &u, &err), -1);
        assert_int_equal(err.code, ERR_INVALID);
        assert_null(strstr(err.msg, "u:p"));
    }
}

static void test_join_and_query(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, URL_CAP_BYTES);
    assert_int_equal(url_join(&b, "https://x/prefix//", "/apis"), 0);
    assert_int_equal(url_add_query(&b, "continue", "a b/=\xc3\xa9~"), 0);
    assert_int_equal(url_add_query(&b, "limit", "500"), 0);
    assert_string_equal(b.data, "https://x/prefix/apis?continue=a%20b%2F%3D%C3%A9~&limit=500");
    buf_deinit(&b);
}

static void test_rename(void **state)
{
    (void)state;
    static const struct {
        const char *url, *name, *wanted, *connect_to, *host_header;
    } cases[] = {
        {"https://127.0.0.1:6443/a?b", "api.x", "https://api.x:6443/a?b",
         "::127.0.0.1:", "Host: 127.0.0.1:6443"},
        {"https://[::1]:6443/a", "api.x", "https://api.x:6443/a", "::[::1]:", "Host: [::1]:6443"},
        {"https://host", "10.0.0.1", "https://10.0.0.1", "::host:", "Host: host"},
        {"https://host/", "fd00::1", "https://[fd00::1]/", "::host:", "Host: host"},
    };
    struct url_renamed r;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(url_rename(cases[i].url, cases[i].name, &r));
        assert_string_equal(r.url, cases[i].wanted);
        assert_string_equal(r.connect_to, cases[i].connect_to);
        assert_string_equal(r.host_header, cases[i].host_header);
        url_renamed_deinit(&r);
    }
    assert_false(url_rename("/nowhere", "x", &r));
}

static void test_resource(void **state)
{
    (void)state;
    cleanup_mem char *all = url_resource(
        &(struct url_resource){.group_version = "apps/v1", .namespace = "n", .resource = "deployments"});
    cleanup_mem char *odd = url_resource(&(struct url_resource){
        .group_version = "apps/v1", .resource = "r", .name = "../a b", .subresource = "s"});
    cleanup_mem char *core = url_resource(&(struct url_resource){.group_version = "v1", .resource = "nodes"});
    assert_string_equal(all, "/apis/apps/v1/namespaces/n/deployments");
    assert_string_equal(core, "/api/v1/nodes");
    assert_string_equal(odd, "/apis/apps/v1/r/..%2Fa%20b/s");
}

static void test_segments_that_stand_for_others(void **state)
{
    (void)state;
    static const char *const plain[] = {"/",          "/api",   "/apis/x.io/v1/r/...", "/a/..b/.c/d./e..",
                                        "/a?b=/../",  "/a//b/", "/a/%2Fb/%2e.x",       "/a/..%2F",
                                        "/v1/n?x=..", ""};
    static const char *const others[] = {"/..",       "/a/../b",     "/a/./b",  "/a/.",
                                         "/a/..?b",   "/a/%2e%2E/b", "/a/.%2e", "/a/%2E/b",
                                         "/a/%2e.?b", "/a/b/c/..",   "../a",    "/a//../b"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        assert_true(url_is_plain(plain[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(url_is_plain(others[i]));
    assert_true(url_is_segment("a") && url_is_segment("...") && url_is_segment(".a"));
    assert_false(url_is_segment("") || url_is_segment(".") || url_is_segment(".."));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),          cmocka_unit_test(test_parse_refuses),
        cmocka_unit_test(test_join_and_query), cmocka_unit_test(test_rename),
        cmocka_unit_test(test_resource),       cmocka_unit_test(test_segments_that_stand_for_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
