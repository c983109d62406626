#include "bytes/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t next(const char *bytes, size_t *n)
{
    uint32_t code;
    *n = utf8_next(bytes, strlen(bytes), &code);
    return code;
}

static void test_next(void **state)
{
    (void)state;
    size_t n;
    assert_int_equal(next("a", &n), 'a');
    assert_int_equal(n, 1);
    assert_int_equal(next("\xc3\xa9", &n), 0xe9);
    assert_int_equal(n, 2);
    assert_int_equal(next("\xe2\x82\xac", &n), 0x20ac);
    assert_int_equal(next("\xf0\x9f\x98\x80", &n), 0x1f600);
    assert_int_equal(n, 4);
}

/* Of each length the first and the last; a character that is cut off is none. */
static void test_lengths(void **state)
{
    (void)state;
    static const struct {
        uint32_t code;
        const char *bytes;
    } rows[] = {
        {0x01, "\x01"},
        {0x7f, "\x7f"},
        {0x80, "\xc2\x80"},
        {0x7ff, "\xdf\xbf"},
        {0x800, "\xe0\xa0\x80"},
        {0xd7ff, "\xed\x9f\xbf"},
        {0xe000, "\xee\x80\x80"},
        {0xffff, "\xef\xbf\xbf"},
        {0x10000, "\xf0\x90\x80\x80"},
        {0x10ffff, "\xf4\x8f\xbf\xbf"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[UTF8_MAX_BYTES];
        const size_t len = utf8_put(rows[i].code, out);
        assert_int_equal(len, strlen(rows[i].bytes));
        assert_memory_equal(out, rows[i].bytes, len);
        assert_int_equal(utf8_len(out, len), len);
        for (size_t cut = 1; cut < len; cut++)
            assert_int_equal(utf8_len(out, cut), 0);
    }
}

static void test_bad_bytes_are_one_character_each(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "\xff",     "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xf4\x90\x80\x80",
        "\xe2\x82", "\x80",     "\xc1\xbf",     "\xed\xbf\xbf", "\xf0\x8f\xbf\xbf", "\xe1\x80\x41",
        "\xc2\x41"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        size_t n;
        assert_int_equal(utf8_len(bad[i], strlen(bad[i])), 0);
        assert_int_equal(next(bad[i], &n), UTF8_REPLACEMENT);
        assert_int_equal(n, 1);
    }
}

static void test_cut_never_halves(void **state)
{
    (void)state;
    const char *text = "a\xe2\x82\xac"
                       "b";
    static const size_t expected[] = {0, 1, 1, 1, 4, 5, 5};
    for (size_t cap = 0; cap < 7; cap++)
        assert_int_equal(utf8_cut(text, 5, cap), expected[cap]);
    assert_int_equal(utf8_cut("\x80\x80\x80\x80\x80", 5, 4), 4);
}

static void test_put_and_count_round_trip(void **state)
{
    (void)state;
    static const uint32_t codes[] = {0x24, 0xe9, 0x20ac, 0x1f600};
    char text[16];
    size_t len = 0;
    for (size_t i = 0; i < 4; i++)
        len += utf8_put(codes[i], text + len);
    assert_int_equal(len, 10);
    assert_int_equal(utf8_count(text, len), 4);
}

static void test_count(void **state)
{
    static const char text[] = "eight.byeight.b\xc3\xa9ight.byteight.byte\xff";
    (void)state;
    assert_int_equal(utf8_count(text, 0), 0);
    assert_int_equal(utf8_count(text, 15), 15);
    assert_int_equal(utf8_count(text + 1, 16), 15);
    assert_int_equal(utf8_count(text, sizeof text - 1), 35);
}

static void test_skip(void **state)
{
    (void)state;
    const char *text = "0123456789\xc3\xa9"
                       "abcdefgh\xe2\x82\xac\xff"
                       "012345678901234567890";
    const size_t len = strlen(text);
    for (size_t count = 0, at = 0; count < 50; count++) {
        uint32_t code;
        assert_int_equal(utf8_skip(text, len, count), at);
        at += at < len ? utf8_next(text + at, len - at, &code) : 0;
    }
    assert_int_equal(utf8_skip(text, 11, 11), 11);
    assert_int_equal(utf8_skip("", 0, 1), 0);
}

static void test_back(void **state)
{
    (void)state;
    const char *text = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z";
    static const size_t starts[] = {0, 1, 3, 6, 10, 11};
    for (size_t at = 0; at < 6; at++) {
        for (size_t count = 0; count < 8; count++)
            assert_int_equal(utf8_back(text, starts[at], count), starts[at > count ? at - count : 0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_next),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_bad_bytes_are_one_character_each),
        cmocka_unit_test(test_cut_never_halves),
        cmocka_unit_test(test_skip),
        cmocka_unit_test(test_back),
        cmocka_unit_test(test_put_and_count_round_trip),
        cmocka_unit_test(test_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
