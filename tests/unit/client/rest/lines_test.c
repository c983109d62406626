#include "client/rest/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct seen {
    char text[256];
    size_t count;
    size_t fail_at;
};

static int on_line(void *user, const char *line, size_t len, struct err *err)
{
    struct seen *seen = user;
    strncat(seen->text, line, len);
    strncat(seen->text, "|", 2);
    return ++seen->count == seen->fail_at ? err_set(err, ERR_INVALID, "enough") : 0;
}

static int ignore(void *user, const char *line, size_t len, struct err *err)
{
    (void)user;
    (void)line;
    (void)len;
    (void)err;
    return 0;
}

static void test_every_split_gives_the_same_lines(void **state)
{
    (void)state;
    const char text[] = "one\n\n\ntwo \xc3\xa9\r\nthree\nlast";
    const size_t len = sizeof text - 1;
    for (size_t a = 0; a <= len; a++) {
        for (size_t b = a; b <= len; b++) {
            struct lines l;
            struct seen seen = {0};
            struct err err;
            lines_init(&l, 100);
            assert_int_equal(lines_feed(&l, text, a, on_line, &seen, &err), 0);
            assert_int_equal(lines_feed(&l, text + a, b - a, on_line, &seen, &err), 0);
            assert_int_equal(lines_feed(&l, text + b, len - b, on_line, &seen, &err), 0);
            assert_int_equal(seen.count, 3);
            assert_int_equal(lines_feed(&l, "\n", 1, on_line, &seen, &err), 0);
            assert_string_equal(seen.text, "one|two \xc3\xa9|three|last|");
            lines_deinit(&l);
        }
    }
}

static void test_cap(void **state)
{
    (void)state;
    struct lines l;
    struct seen seen = {0};
    struct err err;
    lines_init(&l, 4);
    assert_int_equal(lines_feed(&l, "abcd\n", 5, on_line, &seen, &err), 0);
    assert_int_equal(lines_feed(&l, "abcde\n", 6, on_line, &seen, &err), -1);
    assert_int_equal(err.code, ERR_LIMIT);
    lines_deinit(&l);
    lines_init(&l, 4);
    assert_int_equal(lines_feed(&l, "abc", 3, on_line, &seen, &err), 0);
    assert_int_equal(lines_feed(&l, "de", 2, on_line, &seen, &err), -1);
    assert_int_equal(err.code, ERR_LIMIT);
    lines_deinit(&l);
}

static void test_a_refusal_stops(void **state)
{
    (void)state;
    struct lines l;
    struct seen seen = {.fail_at = 2};
    struct err err;
    lines_init(&l, 100);
    assert_int_equal(lines_feed(&l, "a\nb\nc\n", 6, on_line, &seen, &err), -1);
    assert_string_equal(err.msg, "enough");
    assert_string_equal(seen.text, "a|b|");
    lines_deinit(&l);
}

/* They cost time and bring nothing. */
static void test_empty_lines_without_an_end(void **state)
{
    struct lines l;
    struct err err = {0};
    char text[LINES_EMPTY_MAX];
    (void)state;
    memset(text, '\n', sizeof text);
    lines_init(&l, 64);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(lines_feed(&l, text, sizeof text, ignore, NULL, &err), 0);
        assert_int_equal(lines_feed(&l, "x\n", 2, ignore, NULL, &err), 0);
    }
    assert_int_equal(lines_feed(&l, text, sizeof text, ignore, NULL, &err), 0);
    assert_int_equal(lines_feed(&l, "\r\n", 2, ignore, NULL, &err), -1);
    assert_int_equal(err.code, ERR_LIMIT);
    lines_deinit(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_split_gives_the_same_lines),
        cmocka_unit_test(test_cap),
        cmocka_unit_test(test_a_refusal_stops),
        cmocka_unit_test(test_empty_lines_without_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
