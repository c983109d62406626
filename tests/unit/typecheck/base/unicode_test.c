#include "typecheck/base/unicode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_names(void **state)
{
    (void)state;
    assert_non_null(unicode_find(STR("Adlam"), UNICODE_15));
    assert_non_null(unicode_find(STR("Zs"), UNICODE_15));
    assert_non_null(unicode_find(STR("LC"), UNICODE_15));
    assert_non_null(unicode_find(STR("Decimal_Number"), UNICODE_15));
    assert_null(unicode_find(STR(""), UNICODE_15));
    assert_null(unicode_find(STR("Klingon"), UNICODE_15));
    assert_null(unicode_find(STR("Gree"), UNICODE_15));
    assert_null(unicode_find(STR("Greekk"), UNICODE_15));
    assert_null(unicode_find(STR("L\0"), UNICODE_15));
    assert_null(unicode_find(STR("Greek Greek Greek Greek Greek Greek Greek"), UNICODE_15));
}

static void test_spelling(void **state)
{
    (void)state;
    assert_non_null(unicode_find(STR("gREEK"), UNICODE_15));
    assert_non_null(unicode_find(STR("_l-u "), UNICODE_15));
    assert_non_null(unicode_find(STR("decimal number"), UNICODE_15));
    assert_non_null(unicode_find(STR("L_____________________________________________l"), UNICODE_15));
    assert_null(unicode_find(STR("Gr.eek"), UNICODE_15));
}

/* Found in Unicode, but not by Go 1.26, which looks them up without the underscore. */
static void test_scripts_of_two_words(void **state)
{
    static const struct str names[] = {STR_INIT("Old_Italic"), STR_INIT("SignWriting"),
                                       STR_INIT("olditalic")};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_null(unicode_find(names[i], UNICODE_15));
        assert_non_null(unicode_find(names[i], UNICODE_17));
    }
    assert_null(unicode_find(STR("Old_Italics"), UNICODE_17));
}

/* U+1C89 and U+1C8A are a letter of Cyrillic in both cases since Unicode 16. */
static void test_editions(void **state)
{
    (void)state;
    assert_int_equal(unicode_simple_fold(0x1C89, UNICODE_15), 0x1C89);
    assert_int_equal(unicode_simple_fold(0x1C89, UNICODE_17), 0x1C8A);
    assert_int_equal(unicode_simple_fold(0x1C8A, UNICODE_17), 0x1C89);
    assert_null(unicode_find(STR("Garay"), UNICODE_15));
    assert_non_null(unicode_find(STR("Garay"), UNICODE_17));
}

static void test_cases(void **state)
{
    (void)state;
    assert_int_equal(unicode_simple_fold('a', UNICODE_15), 'A');
    assert_int_equal(unicode_simple_fold('K', UNICODE_15), 'k');
    assert_int_equal(unicode_simple_fold('k', UNICODE_15), 0x212A);
    assert_int_equal(unicode_simple_fold(0x212A, UNICODE_15), 'K');
    assert_int_equal(unicode_simple_fold('1', UNICODE_15), '1');
    assert_int_equal(unicode_simple_fold(0x1E943, UNICODE_15), 0x1E921);
    assert_int_equal(unicode_simple_fold(UNICODE_MAX, UNICODE_15), UNICODE_MAX);
}

/* From case to case one comes back to where one began, and soon. */
static void test_cases_are_rings(void **state)
{
    (void)state;
    for (enum unicode_edition edition = UNICODE_15; edition <= UNICODE_17; edition++) {
        for (int32_t c = 0; c <= 0x1FFFF; c++) {
            int32_t other = unicode_simple_fold(c, edition);
            for (int i = 0; i < 3 && other != c; i++)
                other = unicode_simple_fold(other, edition);
            assert_int_equal(other, c);
        }
    }
}

static void test_printable(void **state)
{
    (void)state;
    assert_true(unicode_is_printable('~'));
    assert_true(unicode_is_printable(' '));
    assert_true(unicode_is_printable(0xE9));
    assert_true(unicode_is_printable(0x2713));
    assert_true(unicode_is_printable(0x1F600));
    assert_false(unicode_is_printable('\n'));
    assert_false(unicode_is_printable(0x7F));
    assert_false(unicode_is_printable(0xA0));
    assert_false(unicode_is_printable(0xAD));
    assert_false(unicode_is_printable(0x2028));
    assert_false(unicode_is_printable(0xE000));
    assert_false(unicode_is_printable(UNICODE_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_spelling),
        cmocka_unit_test(test_scripts_of_two_words),
        cmocka_unit_test(test_editions),
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_cases_are_rings),
        cmocka_unit_test(test_printable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
