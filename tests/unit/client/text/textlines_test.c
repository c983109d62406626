#include "client/text/textlines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/mem.h"

/* A text with characters of 1, 2, 3 and 4 bytes, a bad byte, and all line ends. */
static const char text[] = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80z\r\n\n\xff.\rend";

static void test_places(void **state)
{
    (void)state;
    static const struct {
        size_t offset;
        size_t line, utf8, utf16, utf32;
    } rows[] = {
        {0, 0, 0, 0, 0},   {1, 0, 1, 1, 1},   {3, 0, 3, 2, 2},  {6, 0, 6, 3, 3},
        {10, 0, 10, 5, 4}, {11, 0, 11, 6, 5}, {13, 1, 0, 0, 0}, {14, 2, 0, 0, 0},
        {15, 2, 1, 1, 1},  {16, 2, 2, 2, 2},  {17, 3, 0, 0, 0}, {20, 3, 3, 3, 3},
    };
    struct textlines t;
    textlines_init(&t, mem_strdup(text), sizeof text - 1);
    assert_int_equal(t.count, 4);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t columns[] = {[TEXTLINES_UTF8] = rows[i].utf8,
                                  [TEXTLINES_UTF16] = rows[i].utf16,
                                  [TEXTLINES_UTF32] = rows[i].utf32};
        for (enum textlines_unit unit = TEXTLINES_UTF16; unit <= TEXTLINES_UTF32; unit++) {
            const struct textlines_place place = textlines_place(&t, rows[i].offset, unit);
            assert_int_equal(place.line, rows[i].line);
            assert_int_equal(place.column, columns[unit]);
            assert_int_equal(textlines_offset(&t, place, unit), rows[i].offset);
        }
    }
    textlines_deinit(&t);
}

/* Places that are not in the text stand for the nearest before them. */
static void test_places_beyond(void **state)
{
    (void)state;
    struct textlines t;
    textlines_init(&t, mem_strdup(text), sizeof text - 1);
    assert_int_equal(textlines_offset(&t, (struct textlines_place){0, 99}, TEXTLINES_UTF16), 11);
    assert_int_equal(textlines_offset(&t, (struct textlines_place){1, 1}, TEXTLINES_UTF16), 13);
    assert_int_equal(textlines_offset(&t, (struct textlines_place){3, 99}, TEXTLINES_UTF16), 20);
    assert_int_equal(textlines_offset(&t, (struct textlines_place){9, 0}, TEXTLINES_UTF16), 20);
    assert_int_equal(textlines_offset(&t, (struct textlines_place){SIZE_MAX, SIZE_MAX}, TEXTLINES_UTF8), 20);
    /* within a surrogate pair, within a character's bytes, within a line end */
    assert_int_equal(textlines_offset(&t, (struct textlines_place){0, 4}, TEXTLINES_UTF16), 6);
    assert_int_equal(textlines_offset(&t, (struct textlines_place){0, 2}, TEXTLINES_UTF8), 1);
    assert_int_equal(textlines_place(&t, 12, TEXTLINES_UTF8).column, 11);
    assert_int_equal(textlines_place(&t, 99, TEXTLINES_UTF8).column, 3);
    textlines_deinit(&t);
}

static void test_replace(void **state)
{
    (void)state;
    static const struct {
        size_t from, to;
        const char *bytes, *after;
        size_t lines;
    } rows[] = {
        {0, 0, "", "one\ntwo", 2}, {0, 0, "x", "xone\ntwo", 2}, {7, 7, "\n", "one\ntwo\n", 3},
        {3, 4, "", "onetwo", 1},   {4, 3, "", "onetwo", 1},     {0, 7, "a\r\nb\rc", "a\r\nb\rc", 3},
        {0, 7, "", "", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct textlines t;
        textlines_init(&t, mem_strdup("one\ntwo"), 7);
        textlines_replace(&t, rows[i].from, rows[i].to, rows[i].bytes, strlen(rows[i].bytes));
        assert_string_equal(t.text, rows[i].after);
        assert_int_equal(t.len, strlen(rows[i].after));
        assert_int_equal(t.count, rows[i].lines);
        textlines_deinit(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_places_beyond),
        cmocka_unit_test(test_replace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
