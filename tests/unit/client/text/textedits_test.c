#include "client/text/textedits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "client/base/mem.h"
#include "tests/unit/linear.h"

enum { CAP = 1 << 20 };

static void test_replace(void **state)
{
    (void)state;
    static const struct {
        struct textlines_place from, to;
        const char *bytes, *after;
    } rows[] = {
        {{0, 0}, {0, 0}, "", "one\ntwo"},
        {{0, 0}, {0, 0}, "x", "xone\ntwo"},
        {{1, 3}, {1, 3}, "\n", "one\ntwo\n"},
        {{0, 3}, {1, 0}, "", "onetwo"},
        {{1, 0}, {0, 3}, "", "onetwo"},
        {{0, 0}, {1, 3}, "a\r\nb\rc", "a\r\nb\rc"},
        {{0, 0}, {1, 3}, "", ""},
        {{0, 99}, {0, 99}, "x", "onex\ntwo"},
        {{9, 9}, {9, 9}, "x", "one\ntwox"},
        {{0, 1}, {1, 1}, "-", "o-wo"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct textedits e;
        size_t len;
        textedits_init(&e, "one\ntwo", 7, CAP);
        assert_true(textedits_replace(&e, rows[i].from, rows[i].to, TEXTLINES_UTF16, rows[i].bytes,
                                      strlen(rows[i].bytes)));
        char *text = textedits_take(&e, &len);
        assert_string_equal(text, rows[i].after);
        assert_int_equal(len, strlen(rows[i].after));
        mem_free(text);
        textedits_deinit(&e);
    }
}

static void test_cap(void **state)
{
    (void)state;
    struct textedits e;
    size_t len;
    const struct textlines_place start = {0, 0}, end = {9, 0};
    textedits_init(&e, "one", 3, 5);
    assert_false(textedits_replace(&e, start, start, TEXTLINES_UTF8, "abc", 3));
    assert_false(textedits_set(&e, "abcdef", 6));
    assert_true(textedits_replace(&e, start, end, TEXTLINES_UTF8, "abcde", 5));
    char *text = textedits_take(&e, &len);
    assert_string_equal(text, "abcde");
    mem_free(text);
    assert_true(textedits_set(&e, "", 0));
    assert_true(textedits_replace(&e, end, end, TEXTLINES_UTF8, "ab", 2));
    text = textedits_take(&e, &len);
    assert_string_equal(text, "ab");
    mem_free(text);
    textedits_deinit(&e);
}

/* What a change does to a text that is put together anew each time. */
static char *replace(char *take_text, struct textlines_place from, struct textlines_place to,
                     enum textlines_unit unit, const char *bytes)
{
    struct textlines t;
    textlines_init(&t, take_text, strlen(take_text));
    size_t first = textlines_offset(&t, from, unit), behind = textlines_offset(&t, to, unit);
    if (first > behind) {
        const size_t swapped = first;
        first = behind;
        behind = swapped;
    }
    char *after = mem_printf("%.*s%s%s", (int)first, t.text, bytes, t.text + behind);
    textlines_deinit(&t);
    return after;
}

static unsigned below(unsigned n)
{
    static unsigned seed = 7;
    seed = seed * 1103515245u + 12345u;
    return (seed >> 8) % n;
}

/* Any changes, in a text with characters of all lengths and all line ends, or in one line. */
static void test_as_a_whole_text(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "a", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "bcdefghijklmnop", "zz", "\n", "\r\n", "\r", ""};
    enum { PIECES = 10, CHANGES = 3000 };
    for (unsigned kinds = 6; kinds <= PIECES; kinds += 4) {
        struct textedits e;
        char *expected = mem_strdup("");
        size_t len;
        textedits_init(&e, "", 0, CAP);
        for (size_t i = 0; i < CHANGES; i++) {
            char bytes[256];
            size_t size = 0;
            const unsigned lines = kinds == 6 ? 2 : 400, columns = kinds == 6 ? 12000 : 60;
            const struct textlines_place from = {below(lines), below(columns)};
            const struct textlines_place to =
                below(4) == 0 ? (struct textlines_place){from.line + below(2), below(columns)} : from;
            const enum textlines_unit unit = (enum textlines_unit)below(3);
            for (unsigned n = below(i < CHANGES / 3 ? 12 : 5); n > 0; n--) {
                const char *piece = pieces[below(kinds)];
                memcpy(bytes + size, piece, strlen(piece));
                size += strlen(piece);
            }
            bytes[size] = '\0';
            assert_true(textedits_replace(&e, from, to, unit, bytes, size));
            expected = replace(expected, from, to, unit, bytes);
            if (i % 50 != 0)
                continue;
            char *text = textedits_take(&e, &len);
            assert_string_equal(text, expected);
            mem_free(text);
        }
        char *text = textedits_take(&e, &len);
        assert_string_equal(text, expected);
        assert_int_equal(len, strlen(expected));
        mem_free(text);
        mem_free(expected);
        textedits_deinit(&e);
    }
}

/* As many changes as a text has lines, at places far from one another; or in one line. */
static double seconds_of(int count, const void *input)
{
    const bool is_one_line = input != NULL;
    char *text = mem_array((size_t)count * 8 + 1, 1);
    struct textedits e;
    for (int i = 0; i < count; i++)
        memcpy(text + (size_t)i * 8, is_one_line ? "\xc3\xa4 b: c " : "\xc3\xa4 b: c\n", 8);
    textedits_init(&e, text, (size_t)count * 8, (size_t)count * 100);
    const clock_t start = clock();
    for (int i = 0; i < count; i++) {
        const size_t at = (size_t)below((unsigned)count);
        const struct textlines_place place =
            is_one_line ? (struct textlines_place){0, 7 * at} : (struct textlines_place){at, 3};
        assert_true(textedits_replace(&e, place, place, TEXTLINES_UTF16, "xy", 2));
    }
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    textedits_deinit(&e);
    mem_free(text);
    return seconds;
}

static void test_time_is_linear(void **state)
{
    (void)state;
    assert_linear(seconds_of, NULL, 2000);
    assert_linear(seconds_of, "one line", 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replace),
        cmocka_unit_test(test_cap),
        cmocka_unit_test(test_as_a_whole_text),
        cmocka_unit_test(test_time_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
