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

static int on_line(void *user, const char *line, size_t len, bool is_cut, struct err *err)
{
    struct seen *seen = user;
    strncat(seen->text, line, len);
    strncat(seen->text, is_cut ? "...|" : "|", 5);
    return ++seen->count == seen->fail_at ? err_set(err, ERR_INVALID, "enough") : 0;
}

static int ignore(void *user, const char *line, size_t len, bool is_cut, struct err *err)
{
    (void)user, (void)is_cut;
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

/* Of a line that is too long the beginning is given out, however it arrives, and the next line is whole. */
static void test_a_line_that_is_too_long(void **state)
{
    (void)state;
    const char text[] = "abcd\nabcde\r\n\nef\nabcdefghijklmnopq\nabc\n";
    const size_t len = sizeof text - 1;
    for (size_t step = 1; step <= len; step++) {
        struct lines l;
        struct seen seen = {0};
        struct err err;
        lines_init(&l, 4);
        for (size_t at = 0; at < len; at += step)
            assert_int_equal(
                lines_feed(&l, text + at, step < len - at ? step : len - at, on_line, &seen, &err), 0);
        assert_string_equal(seen.text, "abcd|abcd...|ef|abcd...|abc|");
        lines_deinit(&l);
    }
}

/* What no server could have stored is no line. */
static void test_a_line_without_an_end(void **state)
{
    enum { PIECE = 1024 * 1024 };
    static char piece[PIECE];
    struct lines l;
    struct err err = {0};
    size_t fed = 0;
    (void)state;
    memset(piece, 'x', sizeof piece);
    lines_init(&l, GATHERED_HEAD_BYTES * 10);
    while (lines_feed(&l, piece, sizeof piece, ignore, NULL, &err) == 0) {
        fed += sizeof piece;
        assert_true(l.part.text.room <= 2 * GATHERED_HEAD_BYTES);
    }
    assert_int_equal(err.code, ERR_LIMIT);
    assert_true(fed >= LINES_LONGEST_BYTES - PIECE);
    lines_deinit(&l);
}

/* The memory of a long line does not stay. */
static void test_memory_between_lines(void **state)
{
    enum { LONG = 4 * GATHERED_KEPT_BYTES };
    static char text[LONG + 1];
    struct lines l;
    struct err err = {0};
    (void)state;
    memset(text, 'x', LONG);
    text[LONG] = '\n';
    lines_init(&l, LONG);
    assert_int_equal(lines_feed(&l, text, 10, ignore, NULL, &err), 0);
    assert_int_equal(lines_feed(&l, text + 10, sizeof text - 10, ignore, NULL, &err), 0);
    assert_true(l.part.text.room <= GATHERED_KEPT_BYTES);
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
        cmocka_unit_test(test_a_line_that_is_too_long),
        cmocka_unit_test(test_a_line_without_an_end),
        cmocka_unit_test(test_memory_between_lines),
        cmocka_unit_test(test_a_refusal_stops),
        cmocka_unit_test(test_empty_lines_without_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
