#include "client/base/buf.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
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

static void test_numbers(void **state)
{
    static const int64_t numbers[] = {0, 9, 10, -1, 1234567890, INT64_MAX, INT64_MIN};
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char expected[32];
        struct buf b;
        buf_init(&b, 100);
        snprintf(expected, sizeof expected, "%" PRId64, numbers[i]);
        assert_int_equal(buf_put_number(&b, numbers[i]), 0);
        assert_string_equal(b.data, expected);
        buf_deinit(&b);
    }
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

/* The largest cap is none. */
static void test_no_cap(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, SIZE_MAX);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(buf_puts(&b, "ab"), 0);
    assert_int_equal(b.len, 2000);
    assert_int_equal(strlen(b.data), 2000);
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

/* Each byte at each place of a text that is looked at in words: as it is put alone. */
static void test_json_of_every_byte(void **state)
{
    (void)state;
    for (int c = 0; c < 0x80; c++) {
        struct buf alone;
        buf_init(&alone, 64);
        assert_int_equal(buf_put_json(&alone, (const char[]){(char)c}, 1), 0);
        for (size_t at = 0; at < 17; at++) {
            char text[] = "01234567abcdefgh~", expected[64];
            struct buf b;
            text[at] = (char)c;
            snprintf(expected, sizeof expected, "\"%.*s%.*s%s\"", (int)at, "01234567abcdefgh~",
                     (int)alone.len - 2, alone.data + 1, &"01234567abcdefgh~"[at + 1]);
            buf_init(&b, 64);
            assert_int_equal(buf_put_json(&b, text, 17), 0);
            assert_string_equal(b.data, expected);
            buf_deinit(&b);
        }
        buf_deinit(&alone);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grows_and_ends_in_nul),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_cap_is_exact_and_sticky),
        cmocka_unit_test(test_no_cap),
        cmocka_unit_test(test_json_strings),
        cmocka_unit_test(test_json_string_is_all_or_nothing),
        cmocka_unit_test(test_take),
        cmocka_unit_test(test_json_of_every_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
