#include "client/base/err.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_set_formats_and_fails(void **state)
{
    (void)state;
    struct err err = {.http_status = 500, .retry_after_ms = 7};
    assert_int_equal(err_set(&err, ERR_GONE, "version %d", 3), -1);
    assert_int_equal(err.code, ERR_GONE);
    assert_string_equal(err.msg, "version 3");
    assert_int_equal(err.http_status, 0);
    assert_int_equal(err.retry_after_ms, 0);
    assert_int_equal(err_set(NULL, ERR_GONE, "nobody listens"), -1);
}

static void test_set_may_quote_itself(void **state)
{
    (void)state;
    struct err err;
    err_set(&err, ERR_NETWORK, "refused");
    err_set(&err, ERR_TIMEOUT, "gave up: %s", err.msg);
    assert_string_equal(err.msg, "gave up: refused");
}

static void test_prefix_keeps_the_code(void **state)
{
    (void)state;
    struct err err;
    err_set(&err, ERR_INVALID, "no such field");
    err.http_status = 422;
    assert_int_equal(err_prefix(&err, "file %s", "x.yaml"), -1);
    assert_string_equal(err.msg, "file x.yaml: no such field");
    assert_int_equal(err.code, ERR_INVALID);
    assert_int_equal(err.http_status, 422);
}

static void test_long_message_is_cut_at_a_character(void **state)
{
    (void)state;
    struct err err;
    char text[2 * ERR_MSG_BYTES + 1] = "x";
    for (size_t i = 1; i + 2 < sizeof text; i += 2)
        memcpy(text + i, "\xc3\xa9", 3);
    err_set(&err, ERR_INVALID, "%s", text);
    const size_t len = strlen(err.msg);
    assert_true(len < ERR_MSG_BYTES);
    assert_string_equal(err.msg + len - 3, "...");
    assert_int_equal((unsigned char)err.msg[len - 4], 0xa9);
}

static void test_retriable(void **state)
{
    (void)state;
    for (enum err_code code = ERR_NONE; code <= ERR_INTERNAL; code++) {
        const bool is_passing =
            code == ERR_THROTTLED || code == ERR_UNAVAILABLE || code == ERR_TIMEOUT || code == ERR_NETWORK;
        struct err err;
        err_set(&err, code, "x");
        assert_int_equal(err_is_retriable(&err), is_passing);
    }
}

static void test_names_are_in_step_with_the_codes(void **state)
{
    (void)state;
    assert_string_equal(err_code_name(ERR_NONE), "None");
    assert_string_equal(err_code_name(ERR_FORBIDDEN), "Forbidden");
    assert_string_equal(err_code_name(ERR_INTERNAL), "Internal");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_formats_and_fails),
        cmocka_unit_test(test_set_may_quote_itself),
        cmocka_unit_test(test_prefix_keeps_the_code),
        cmocka_unit_test(test_long_message_is_cut_at_a_character),
        cmocka_unit_test(test_retriable),
        cmocka_unit_test(test_names_are_in_step_with_the_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
