#include "client/token.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>

#include "client/log.h"
#include "client/mem.h"
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
    cleanup_mem char *path = write_file("token", "  one\n");
    const struct config config = {.token = text, .token_file = path};
    struct token t;
    token_init(&t, &config);
    assert_string_equal(token_get(&t, 1000), "one");
    mem_free(write_file("token", "two"));
    assert_string_equal(token_get(&t, 60999), "one");
    assert_string_equal(token_get(&t, 61000), "two");
    mem_free(write_file("token", "three"));
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
    cleanup_mem char *path = mem_printf("%s/other", directory);
    const struct config config = {.token = text, .token_file = path};
    struct token t;
    log_set_level(LOG_LEVEL_ERROR);
    token_init(&t, &config);
    assert_string_equal(token_get(&t, 0), "static");
    mem_free(write_file("other", "good"));
    token_expire(&t);
    assert_string_equal(token_get(&t, 0), "good");
    for (size_t i = 0; i < 4; i++) {
        mem_free(write_file("other", bad[i]));
        token_expire(&t);
        assert_string_equal(token_get(&t, 0), "good");
    }
    token_deinit(&t);
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
        cmocka_unit_test(test_a_token_of_the_config),
        cmocka_unit_test(test_the_file_is_read_again_every_minute),
        cmocka_unit_test(test_a_bad_file_keeps_the_last_good_token),
        cmocka_unit_test(test_remove_the_directory),
    };
    return mkdtemp(directory) ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
