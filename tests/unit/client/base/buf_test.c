#include "client/base/buf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"
static void test_grows_and_ends_in_nul(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 1 << 20);
    assert_string_equal(b.data, "");
    for (int i = 0; i < 1000; i++)
        assert_int_equal(buf_printf(&b, "%03d,", i), 0);
    assert_int_equal(b.len, 4000);
    assert_int_equal(strlen(b.data), 4000);
    assert_memory_equal(b.data + 4 * 517, "517,", 4);
    buf_deinit(&b);
}

static void test_cap_is_exact_and_sticky(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 5);
    assert_int_equal(buf_puts(&b, "abcde"), 0);
    assert_int_equal(buf_putc(&b, 'f'), -1);
    assert_true(b.is_full);
    assert_string_equal(b.data, "abcde");
    assert_int_equal(buf_append(&b, "", 0), -1);
    buf_reset(&b);
    assert_int_equal(buf_puts(&b, "xy"), 0);
    assert_string_equal(b.data, "xy");
    buf_deinit(&b);
}

static void test_json_strings(void **state)
{
    (void)state;
    struct buf b;
    const char text[] = "q\" b\\ n\n t\t \x01 \xc3\xa9 \xff";
    buf_init(&b, 100);
    assert_int_equal(buf_put_json(&b, text, sizeof text - 1), 0);
    assert_string_equal(b.data, "\"q\\\" b\\\\ n\\n t\\t \\u0001 \xc3\xa9 \xef\xbf\xbd\"");
    buf_deinit(&b);
}

static void test_json_string_is_all_or_nothing(void **state)
{
    (void)state;
    for (size_t cap = 0; cap < 6; cap++) {
        struct buf b;
        buf_init(&b, cap);
        (void)buf_putc(&b, 'x');
        (void)buf_put_json(&b, "abc", 3);
        assert_string_equal(b.data, cap == 0 ? "" : "x");
        assert_true(b.is_full);
        buf_deinit(&b);
    }
}

static void test_take(void **state)
{
    (void)state;
    struct buf b;
    size_t len;
    buf_init(&b, 100);
    (void)buf_puts(&b, "world");
    assert_string_equal(b.data, "world");
    char *taken = buf_take(&b, &len);
    assert_string_equal(taken, "world");
    assert_int_equal(len, 5);
    mem_free(taken);
    taken = buf_take(&b, NULL);
    assert_string_equal(taken, "");
    mem_free(taken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grows_and_ends_in_nul),
        cmocka_unit_test(test_cap_is_exact_and_sticky),
        cmocka_unit_test(test_json_strings),
        cmocka_unit_test(test_json_string_is_all_or_nothing),
        cmocka_unit_test(test_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
