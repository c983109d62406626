#include "client/auth/kubeconfig.h"

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

static const char full[] = "apiVersion: v1\n"
                           "kind: Config\n"
                           "current-context: main\n"
                           "contexts:\n"
                           "- name: main\n"
                           "  context: {cluster: c, user: u, namespace: ns}\n"
                           "- name: plugin\n"
                           "  context: {cluster: c, user: p}\n"
                           "- name: plain\n"
                           "  context: {cluster: h, user: u}\n"
                           "clusters:\n"
                           "- name: c\n"
                           "  cluster:\n"
                           "    server: https://10.0.0.1:6443/prefix\n"
                           "    certificate-authority: ca/ca.crt\n"
                           "    certificate-authority-data: Y2E=\n"
                           "    tls-server-name: api.internal\n"
                           "    proxy-url: http://proxy:3128\n"
                           "    disable-compression: true\n"
                           "- name: h\n"
                           "  cluster: {server: \"http://localhost:8080\"}\n"
                           "users:\n"
                           "- name: u\n"
                           "  user:\n"
                           "    tokenFile: secret/token\n"
                           "    client-certificate: /abs/crt\n"
                           "    client-key-data: a2V5\n"
                           "    as: someone\n"
                           "    as-uid: '7'\n"
                           "    as-groups: [g1, g2]\n"
                           "    as-user-extra: {Scope: [a, b]}\n"
                           "- name: p\n"
                           "  user:\n"
                           "    exec:\n"
                           "      apiVersion: client.authentication.k8s.io/v1\n"
                           "      command: bin/plugin\n"
                           "      args: [get, token]\n"
                           "      env: [{name: A, value: b}]\n"
                           "      installHint: get it\n"
                           "      interactiveMode: IfAvailable\n"
                           "      provideClusterInfo: true\n"
                           "- name: u\n"
                           "  user: {token: never}\n";

static struct config *load(const char *const *paths, size_t count, const char *context)
{
    struct config *c = mem_zalloc(sizeof *c);
    struct err err;
    if (kubeconfig_load(paths, count, context, c, &err) != 0)
        fail_msg("%s", err.msg);
    return c;
}

static void test_every_field(void **state)
{
    (void)state;
    const char *path = tempdir_write("full", full);
    cleanup_mem char *token = tempdir_path("secret/token");
    cleanup_mem char *ca = tempdir_path("ca/ca.crt");
    struct config *c = load(&path, 1, NULL);
    assert_string_equal(c->server, "https://10.0.0.1:6443/prefix");
    assert_string_equal(c->namespace, "ns");
    assert_string_equal(c->tls.ca_file, ca);
    assert_string_equal(c->tls.ca_data, "ca");
    assert_string_equal(c->tls.server_name, "api.internal");
    assert_string_equal(c->proxy_url, "http://proxy:3128");
    assert_true(c->disable_compression);
    assert_string_equal(c->token_file, token);
    assert_null(c->token);
    assert_string_equal(c->tls.client_cert_file, "/abs/crt");
    assert_string_equal(c->tls.client_key_data, "key");
    assert_string_equal(c->as_user, "someone");
    assert_string_equal(c->as_uid, "7");
    assert_int_equal(c->n_as_groups, 2);
    assert_string_equal(c->as_groups[1], "g2");
    assert_int_equal(c->n_as_extra, 2);
    assert_string_equal(c->as_extra[1].name, "Scope");
    assert_string_equal(c->as_extra[1].value, "b");
    config_free(c);
    mem_free((void *)(uintptr_t)path);
}

static void test_exec(void **state)
{
    (void)state;
    const char *path = tempdir_write("full", full);
    cleanup_mem char *command = tempdir_path("bin/plugin");
    struct config *c = load(&path, 1, "plugin");
    assert_string_equal(c->exec->command, command);
    assert_int_equal(c->exec->n_args, 2);
    assert_string_equal(c->exec->args[1], "token");
    assert_null(c->exec->args[2]);
    assert_string_equal(c->exec->env[0].value, "b");
    assert_string_equal(c->exec->install_hint, "get it");
    assert_true(c->exec->provide_cluster_info);
    config_free(c);
    mem_free((void *)(uintptr_t)path);
}

static void test_credentials_travel_over_tls_only(void **state)
{
    (void)state;
    const char *path = tempdir_write("full", full);
    struct config *c = load(&path, 1, "plain");
    assert_string_equal(c->server, "http://localhost:8080");
    assert_null(c->token_file);
    assert_null(c->as_user);
    config_free(c);
    mem_free((void *)(uintptr_t)path);
}

static void test_the_first_file_wins(void **state)
{
    (void)state;
    char *const paths[2] = {
        tempdir_write("one", "users: [{name: u, user: {token: first}}]\n"
                             "clusters: [{name: c, cluster: {server: 'https://first'}}]\n"),
        tempdir_write("two", "users: [{name: u, user: {token: second}}]\n"
                             "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n")};
    struct config *c = load((const char *const *)paths, 2, NULL);
    assert_string_equal(c->token, "first");
    assert_string_equal(c->server, "https://first");
    config_free(c);
    mem_free(paths[0]);
    mem_free(paths[1]);
}

static void refuses(const char *text, enum err_code code, const char *part)
{
    char *path = tempdir_write("bad", text);
    struct config *c = mem_zalloc(sizeof *c);
    struct err err;
    assert_int_equal(kubeconfig_load((const char *const *)&path, 1, NULL, c, &err), -1);
    if (err.code != code || !strstr(err.msg, part) || !strstr(err.msg, path))
        fail_msg("%s: %s", err_code_name(err.code), err.msg);
    config_free(c);
    mem_free(path);
}

#define WITH_USER(user)                                                                                      \
    "clusters: [{name: c, cluster: {server: 'https://x'}}]\n"                                                \
    "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\nusers: [{name: u, user: "    \
    "{" user "}}]\n"

static void test_refusals_name_the_field(void **state)
{
    (void)state;
    refuses("a: [", ERR_INVALID, "line");
    refuses("[]", ERR_INVALID, "not a YAML mapping");
    refuses("", ERR_NOT_FOUND, "no current-context");
    refuses("current-context: x", ERR_NOT_FOUND, "no context \"x\"");
    refuses("current-context: x\ncontexts: [{name: x, context: {cluster: c}}]", ERR_NOT_FOUND,
            "no cluster \"c\"");
    refuses("current-context: x\ncontexts: [{name: x, context: {cluster: c}}]\nclusters: [{name: c}]",
            ERR_INVALID, "server: missing");
    refuses(WITH_USER("token: 5"), ERR_INVALID, "token: not a string");
    refuses(WITH_USER("client-key-data: '%%%'"), ERR_INVALID, "client-key-data: malformed base64");
    refuses(WITH_USER("auth-provider: {name: gcp}"), ERR_INVALID, "exec plugin");
    refuses(WITH_USER("exec: {command: x, apiVersion: client.authentication.k8s.io/v1alpha1}"), ERR_INVALID,
            "exec.apiVersion");
    refuses(WITH_USER("exec: {apiVersion: client.authentication.k8s.io/v1}"), ERR_INVALID, "exec.command");
    refuses(
        WITH_USER("exec: {command: x, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Always}"),
        ERR_INVALID, "interactiveMode");
    refuses(WITH_USER("exec: {command: x, apiVersion: client.authentication.k8s.io/v1, env: [{name: A}]}"),
            ERR_INVALID, "exec.env");
    refuses(WITH_USER("as-groups: [5]"), ERR_INVALID, "as-groups");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_field),
        cmocka_unit_test(test_exec),
        cmocka_unit_test(test_credentials_travel_over_tls_only),
        cmocka_unit_test(test_the_first_file_wins),
        cmocka_unit_test(test_refusals_name_the_field),
    };
    return cmocka_run_group_tests(tests, tempdir_make, tempdir_remove);
}
