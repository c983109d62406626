#include "client/auth/config_source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>

#include "client/base/mem.h"
#include "tests/unit/client/tempdir.h"

static struct config *load(const struct config_source *source)
{
    struct config *c;
    struct err err;
    if (config_source_load(source, &c, &err) != 0)
        fail_msg("%s", err.msg);
    return c;
}

static void refuses(const struct config_source *source, enum err_code code, const char *part)
{
    struct config *c;
    struct err err;
    assert_int_equal(config_source_load(source, &c, &err), -1);
    assert_null(c);
    if (err.code != code || !strstr(err.msg, part))
        fail_msg("%s: %s", err_code_name(err.code), err.msg);
}

#define MINIMAL(name, server)                                                                                \
    "clusters: [{name: " name ", cluster: {server: \"" server "\"}}]\n"                                      \
    "contexts: [{name: " name ", context: {cluster: " name "}}]\n"                                           \
    "current-context: " name "\n"

static void test_the_order_of_sources(void **state)
{
    (void)state;
    cleanup_mem char *flag = tempdir_write("flag", MINIMAL("flag", "https://flag"));
    cleanup_mem char *env = tempdir_write("env", MINIMAL("env", "https://env/"));
    cleanup_mem char *list = mem_printf("/nonexistent:%s::%s", env, flag);
    cleanup_mem char *home = tempdir_path("home");
    cleanup_mem char *make = mem_printf("mkdir -p %s/.kube", home);
    assert_int_equal(system(make), 0);
    mem_free(tempdir_write("home/.kube/config", MINIMAL("home", "https://home:1")));
    struct config_source s = {.kubeconfig = flag, .env_kubeconfig = list, .home = home};
    struct config *c = load(&s);
    assert_string_equal(c->server, "https://flag");
    assert_non_null(strstr(c->origin, flag));
    assert_string_equal(c->namespace, "default");
    config_free(c);
    s.kubeconfig = NULL;
    c = load(&s);
    assert_string_equal(c->server, "https://env");
    config_free(c);
    s.context = "flag";
    c = load(&s);
    assert_string_equal(c->server, "https://flag");
    config_free(c);
    s.context = NULL;
    s.env_kubeconfig = NULL;
    c = load(&s);
    assert_string_equal(c->server, "https://home:1");
    config_free(c);
    s.kubeconfig = "/nonexistent";
    refuses(&s, ERR_NOT_FOUND, "/nonexistent");
}

static void test_in_cluster(void **state)
{
    (void)state;
    cleanup_mem char *token = tempdir_write("token", "t\n");
    mem_free(tempdir_write("namespace", "vap\n"));
    struct config_source s = {
        .service_host = "fd00::1", .service_port = "443", .serviceaccount_dir = tempdir};
    struct config *c = load(&s);
    assert_string_equal(c->server, "https://[fd00::1]:443");
    assert_string_equal(c->token_file, token);
    assert_string_equal(c->namespace, "vap");
    assert_true(c->is_in_cluster);
    assert_non_null(strstr(c->tls.ca_file, "/ca.crt"));
    config_free(c);
    s.serviceaccount_dir = "/nonexistent";
    refuses(&s, ERR_NOT_FOUND, "/nonexistent/token");
    refuses(&(struct config_source){0}, ERR_NOT_FOUND, "no configuration");
    refuses(&(struct config_source){.env_kubeconfig = "/nonexistent/k"}, ERR_NOT_FOUND, "/nonexistent/k");
}

/* What goes into a header line and cannot is an error: left out, it would be a request of somebody else's. */
static void test_what_no_header_can_have(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"token: \"s3cret\\n\"", "token: "},
        {"as: \"s3cret\\n\"", "as: "},
        {"as: a, as-uid: \"s3cret\\t\"", "as-uid: "},
        {"as: a, as-groups: [b, \"s3cret\\r\"]", "as-groups: "},
        {"as: a, as-user-extra: {x: [b, \"s3cret\\x7f\"]}", "as-user-extra: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct config *c;
        struct err err = {0};
        cleanup_mem char *text =
            mem_printf("clusters: [{name: c, cluster: {server: 'https://x'}}]\n"
                       "users: [{name: u, user: {%s}}]\n"
                       "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n",
                       cases[i][0]);
        cleanup_mem char *path = tempdir_write("bad", text);
        assert_int_equal(config_source_load(&(struct config_source){.kubeconfig = path}, &c, &err), -1);
        assert_int_equal(err.code, ERR_INVALID);
        assert_non_null(strstr(err.msg, cases[i][1]));
        assert_null(strstr(err.msg, "s3cret"));
    }
}

static void test_contradictions(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"insecure-skip-tls-verify: true, certificate-authority: x", "", "contradict"},
        {"", "token: t, username: u", "both a token and a username"},
        {"", "client-certificate: x", "without a client-key"},
    };
    for (size_t i = 0; i < 3; i++) {
        cleanup_mem char *text =
            mem_printf("clusters: [{name: c, cluster: {server: 'https://x', %s}}]\n"
                       "users: [{name: u, user: {%s}}]\n"
                       "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n",
                       cases[i][0], cases[i][1]);
        cleanup_mem char *path = tempdir_write("bad", text);
        refuses(&(struct config_source){.kubeconfig = path}, ERR_INVALID, cases[i][2]);
    }
    cleanup_mem char *path = tempdir_write("bad", MINIMAL("x", "ftp://x"));
    refuses(&(struct config_source){.kubeconfig = path}, ERR_INVALID, "server");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_order_of_sources),
        cmocka_unit_test(test_in_cluster),
        cmocka_unit_test(test_what_no_header_can_have),
        cmocka_unit_test(test_contradictions),
    };
    return cmocka_run_group_tests(tests, tempdir_make, tempdir_remove);
}
