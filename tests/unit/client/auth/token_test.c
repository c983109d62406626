#include "client/auth/token.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>

#include "client/base/log.h"
#include "client/base/mem.h"
#include "tests/unit/client/tempdir.h"

static void test_a_token_of_the_config(void **state)
{
    (void)state;
    char text[] = "static";
    const struct config config = {.token = text};
    struct token t;
    token_init(&t, &config);
    assert_string_equal(token_get(&t, 0), "static");
    token_deinit(&t);
    const struct config none = {0};
    token_init(&t, &none);
    assert_null(token_get(&t, 0));
    token_deinit(&t);
}

static void test_the_file_is_read_again_every_minute(void **state)
{
    (void)state;
    char text[] = "static";
    cleanup_mem char *path = tempdir_write("token", "  one\n");
    const struct config config = {.token = text, .token_file = path};
    struct token t;
    token_init(&t, &config);
    assert_string_equal(token_get(&t, 1000), "one");
    mem_free(tempdir_write("token", "two"));
    assert_string_equal(token_get(&t, 60999), "one");
    assert_string_equal(token_get(&t, 61000), "two");
    mem_free(tempdir_write("token", "three"));
    assert_string_equal(token_get(&t, 62000), "two");
    token_expire(&t);
    assert_string_equal(token_get(&t, 62000), "three");
    token_deinit(&t);
}

static void test_a_bad_file_keeps_the_last_good_token(void **state)
{
    (void)state;
    static const char *const bad[] = {"", " \n", "a b", "a\x01"};
    char text[] = "static";
    cleanup_mem char *path = tempdir_path("other");
    const struct config config = {.token = text, .token_file = path};
    struct token t;
    log_set_level(LOG_LEVEL_ERROR);
    token_init(&t, &config);
    assert_string_equal(token_get(&t, 0), "static");
    mem_free(tempdir_write("other", "good"));
    token_expire(&t);
    assert_string_equal(token_get(&t, 0), "good");
    for (size_t i = 0; i < 4; i++) {
        mem_free(tempdir_write("other", bad[i]));
        token_expire(&t);
        assert_string_equal(token_get(&t, 0), "good");
    }
    token_deinit(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_token_of_the_config),
        cmocka_unit_test(test_the_file_is_read_again_every_minute),
        cmocka_unit_test(test_a_bad_file_keeps_the_last_good_token),
    };
    return cmocka_run_group_tests(tests, tempdir_make, tempdir_remove);
}
