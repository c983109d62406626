#include "client/auth/exec_credential.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/base/mem.h"
#include "tests/unit/client/tempdir.h"
#include "tests/unit/client/virtualclock.h"

#define V1             "client.authentication.k8s.io/v1"
#define ANSWER(status) "{\"kind\":\"ExecCredential\",\"apiVersion\":\"" V1 "\",\"status\":{" status "}}"

static int parse(const char *text, struct exec_credential_value *value, struct err *err)
{
    return exec_credential_parse(text, strlen(text), V1, value, err);
}

static void test_parse(void **state)
{
    (void)state;
    struct exec_credential_value v;
    struct err err;
    assert_int_equal(parse(ANSWER("\"token\":\"t\""), &v, &err), 0);
    assert_string_equal(v.token, "t");
    assert_null(v.cert_pem);
    assert_true(v.expires_unix_ms == INT64_MAX);
    exec_credential_value_deinit(&v);
    assert_int_equal(
        parse(ANSWER("\"clientCertificateData\":\"c\",\"clientKeyData\":\"k\",\"expirationTimestamp\":"
                     "\"2023-11-14T22:13:20Z\""),
              &v, &err),
        0);
    assert_string_equal(v.key_pem, "k");
    assert_true(v.expires_unix_ms == 1700000000000);
    exec_credential_value_deinit(&v);
}

static void test_parse_refuses_and_does_not_quote(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "s3cret",
        "{}",
        ANSWER(""),
        ANSWER("\"clientKeyData\":\"s3cret\""),
        ANSWER("\"token\":\"s3cret\",\"expirationTimestamp\":\"soon\""),
        ANSWER("\"token\":\"s3cret\\n\""),
        "{\"kind\":\"ExecCredential\",\"apiVersion\":\"other\",\"status\":{\"token\":\"s3cret\"}}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct exec_credential_value v;
        struct err err = {0};
        assert_int_equal(parse(bad[i], &v, &err), -1);
        assert_int_equal(err.code, ERR_INVALID);
        assert_null(strstr(err.msg, "s3cret"));
    }
}

static void test_times(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t ms;
    } cases[] = {{"1970-01-01T00:00:01Z", 1000},
                 {"1970-01-01T00:00:01.999Z", 1000},
                 {"1970-01-01T01:00:00+01:00", 0},
                 {"1970-01-01T00:00:00-00:30", 1800000}};
    static const char *const bad[] = {"", "1970-01-01", "1970-01-01T00:00:00", "1970-01-01T00:00:00+1:00",
                                      "1970-01-01T00:00:00Zz"};
    int64_t ms;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(exec_credential_parse_time(cases[i].text, &ms), 0);
        assert_true(ms == cases[i].ms);
    }
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(exec_credential_parse_time(bad[i], &ms), -1);
}

/* ---- running ---- */

struct outcome {
    int dones;
    struct err err;
};

static void on_done(void *user, const struct err *err)
{
    struct outcome *o = user;
    o->dones++;
    err_copy(&o->err, err);
}

/* A child that nobody waited for stays in the table of processes. */
static void expect_no_children(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void on_tick(uv_timer_t *timer)
{
    (void)timer;
}

/* So that the clock never jumps by itself: a plugin takes real time. */
static void start_ticking(uv_loop_t *loop, uv_timer_t *tick)
{
    uv_timer_init(loop, tick);
    uv_timer_start(tick, on_tick, VIRTUALCLOCK_GRACE_MS, VIRTUALCLOCK_GRACE_MS);
    uv_unref((uv_handle_t *)tick);
}

/* So much is skipped while it runs. */
static struct outcome run_for(uint64_t skipped_ms, const char *script, struct exec_credential_value *copy)
{
    cleanup_mem char *path = tempdir_write("plugin", script);
    char api_version[] = V1;
    char hint[] = "install it";
    char arg[] = "an arg; `id` $(id)"; /* no shell looks at it */
    char *args[] = {arg, NULL};
    struct config_pair env = {(char[]){"GREETING"}, (char[]){"hi"}};
    struct config_exec exec = {.api_version = api_version,
                               .command = path,
                               .args = args,
                               .n_args = 1,
                               .env = &env,
                               .n_env = 1,
                               .install_hint = hint};
    const struct config config = {.exec = &exec};
    struct outcome o = {0};
    uv_loop_t loop;
    uv_timer_t tick;
    cleanup_mem char *command = mem_printf("chmod 700 %s", path);
    assert_int_equal(system(command), 0);
    uv_loop_init(&loop);
    start_ticking(&loop, &tick);
    struct exec_credential *x = exec_credential_new(&loop, &config);
    assert_false(exec_credential_is_fresh(x, 0));
    exec_credential_run(x, on_done, &o);
    assert_int_equal(o.dones, 0);
    virtualclock_skipped_ms += skipped_ms;
    while (o.dones == 0)
        uv_run(&loop, UV_RUN_ONCE);
    if (copy) {
        copy->token = mem_strdup_or_null(exec_credential_value(x)->token);
        assert_true(exec_credential_is_fresh(x, 0));
        exec_credential_expire(x);
        assert_false(exec_credential_is_fresh(x, 0));
    }
    expect_no_children();
    exec_credential_close(x, NULL, NULL);
    uv_close((uv_handle_t *)&tick, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    return o;
}

static struct outcome run(const char *script, struct exec_credential_value *copy)
{
    return run_for(0, script, copy);
}

static void test_a_plugin_gets_its_environment(void **state)
{
    (void)state;
    struct exec_credential_value v = {0};
    const struct outcome o =
        run("#!/bin/sh\n"
            "case \"$KUBERNETES_EXEC_INFO\" in *'\"interactive\":false'*) ;; *) exit 3;; esac\n"
            "test -n \"$PATH\" || exit 4\n"
            "echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"" V1
            "\",\"status\":{\"token\":\"'$GREETING-\"$1\"'\"}}'\n",
            &v);
    assert_int_equal(o.err.code, ERR_NONE);
    assert_string_equal(v.token, "hi-an arg; `id` $(id)");
    exec_credential_value_deinit(&v);
}

/* Neither connections nor files of ours, nor what our own parent left open. */
static void test_a_plugin_inherits_three_descriptors(void **state)
{
    (void)state;
    struct exec_credential_value v = {0};
    const int left_open[] = {dup(STDIN_FILENO), socket(AF_INET, SOCK_STREAM, 0),
                             fcntl(STDERR_FILENO, F_DUPFD, 200)};
    const struct outcome o = run("#!/bin/sh\n"
                                 "open=$(ls /proc/self/fd | tr '\\n' ' ')\n"
                                 "echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"" V1
                                 "\",\"status\":{\"token\":\"'\"$open\"'\"}}'\n",
                                 &v);
    for (size_t i = 0; i < sizeof left_open / sizeof *left_open; i++)
        close(left_open[i]);
    assert_int_equal(o.err.code, ERR_NONE);
    assert_string_equal(v.token, "0 1 2 3 "); /* 3: the directory that is listed */
    exec_credential_value_deinit(&v);
}

static void test_a_plugin_that_fails(void **state)
{
    (void)state;
    struct outcome o = run("#!/bin/sh\nexit 7\n", NULL);
    assert_int_equal(o.err.code, ERR_UNAUTHORIZED);
    assert_non_null(strstr(o.err.msg, "status 7"));
    assert_non_null(strstr(o.err.msg, "install it"));
    o = run("#!/nonexistent/interpreter\n", NULL);
    assert_int_equal(o.err.code, ERR_UNAUTHORIZED);
    assert_non_null(strstr(o.err.msg, "install it"));
}

static void test_a_plugin_that_prints_too_much(void **state)
{
    (void)state;
    const struct outcome o = run("#!/bin/sh\nexec head -c 3000000 /dev/zero\n", NULL);
    assert_int_equal(o.err.code, ERR_LIMIT);
}

static void test_a_plugin_that_never_ends(void **state)
{
    (void)state;
    const struct outcome o = run_for(EXEC_CREDENTIAL_TIMEOUT_MS, "#!/bin/sh\nexec sleep 1000\n", NULL);
    assert_int_equal(o.err.code, ERR_TIMEOUT);
    assert_non_null(strstr(o.err.msg, "no answer within 60 s"));
}

static void test_close_while_it_runs(void **state)
{
    (void)state;
    cleanup_mem char *path = tempdir_write("sleeper", "#!/bin/sh\nexec sleep 60\n");
    cleanup_mem char *command = mem_printf("chmod 700 %s", path);
    char api_version[] = V1;
    struct config_exec exec = {.api_version = api_version, .command = path};
    const struct config config = {.exec = &exec};
    struct outcome o = {0};
    uv_loop_t loop;
    uv_timer_t tick;
    assert_int_equal(system(command), 0);
    uv_loop_init(&loop);
    start_ticking(&loop, &tick);
    struct exec_credential *x = exec_credential_new(&loop, &config);
    exec_credential_run(x, on_done, &o);
    uv_run(&loop, UV_RUN_NOWAIT);
    exec_credential_close(x, NULL, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_close((uv_handle_t *)&tick, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    assert_int_equal(o.dones, 0);
    expect_no_children();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_parse_refuses_and_does_not_quote),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_a_plugin_gets_its_environment),
        cmocka_unit_test(test_a_plugin_inherits_three_descriptors),
        cmocka_unit_test(test_a_plugin_that_fails),
        cmocka_unit_test(test_a_plugin_that_prints_too_much),
        cmocka_unit_test(test_a_plugin_that_never_ends),
        cmocka_unit_test(test_close_while_it_runs),
    };
    return cmocka_run_group_tests(tests, tempdir_make, tempdir_remove);
}
