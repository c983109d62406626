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

/* As they were counted from the begin of the line: in a text of one long line, and of many short ones. */
static void test_long_texts(void **state)
{
    (void)state;
    static const char *const characters[] = {"a",    "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
                                             "\xff", "b",        "\r\n"};
    static const size_t units[][3] = {{1, 1, 1}, {1, 2, 1}, {1, 3, 1}, {2, 4, 1},
                                      {1, 1, 1}, {1, 1, 1}, {0, 0, 0}};
    enum { COUNT = 7, TIMES = 9000 };
    for (size_t kinds = COUNT - 1; kinds <= COUNT; kinds++) {
        struct textlines t;
        struct textlines_place places[3] = {{0, 0}, {0, 0}, {0, 0}};
        char *bytes = mem_array((size_t)TIMES * 4 + 1, 1);
        size_t len = 0;
        for (size_t i = 0; i < TIMES; i++) {
            const char *c = characters[i * i % 31 % kinds];
            memcpy(bytes + len, c, strlen(c));
            len += strlen(c);
        }
        textlines_init(&t, bytes, len);
        size_t at = 0;
        for (size_t i = 0; i < TIMES; i++) {
            const size_t k = i * i % 31 % kinds;
            for (enum textlines_unit unit = TEXTLINES_UTF16; unit <= TEXTLINES_UTF32; unit++) {
                const struct textlines_place place = textlines_place(&t, at, unit);
                assert_int_equal(place.line, places[unit].line);
                assert_int_equal(place.column, places[unit].column);
                assert_int_equal(textlines_offset(&t, place, unit), at);
                places[unit].column += units[k][unit];
                if (k == COUNT - 1)
                    places[unit] = (struct textlines_place){places[unit].line + 1, 0};
            }
            at += strlen(characters[k]);
        }
        textlines_deinit(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_places_beyond),
        cmocka_unit_test(test_long_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
