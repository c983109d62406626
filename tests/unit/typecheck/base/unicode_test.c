#include "typecheck/base/unicode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_names(void **state)
{
    (void)state;
    assert_non_null(unicode_find(STR("Adlam")));
    assert_non_null(unicode_find(STR("Zs")));
    assert_non_null(unicode_find(STR("LC")));
    assert_non_null(unicode_find(STR("Decimal_Number")));
    assert_null(unicode_find(STR("")));
    assert_null(unicode_find(STR("Klingon")));
    assert_null(unicode_find(STR("Gree")));
    assert_null(unicode_find(STR("Greekk")));
    assert_null(unicode_find(STR("L\0")));
    assert_null(unicode_find(STR("Greek Greek Greek Greek Greek Greek Greek")));
}

static void test_spelling(void **state)
{
    (void)state;
    assert_non_null(unicode_find(STR("gREEK")));
    assert_non_null(unicode_find(STR("_l-u ")));
    assert_non_null(unicode_find(STR("decimal number")));
    assert_non_null(unicode_find(STR("L_____________________________________________l")));
    assert_null(unicode_find(STR("Gr.eek")));
}

/* Found in Unicode, but not by Go, which looks them up without the underscore. */
static void test_scripts_of_two_words(void **state)
{
    (void)state;
    assert_null(unicode_find(STR("Old_Italic")));
    assert_null(unicode_find(STR("SignWriting")));
}

static void test_cases(void **state)
{
    (void)state;
    assert_int_equal(unicode_simple_fold('a'), 'A');
    assert_int_equal(unicode_simple_fold('K'), 'k');
    assert_int_equal(unicode_simple_fold('k'), 0x212A);
    assert_int_equal(unicode_simple_fold(0x212A), 'K');
    assert_int_equal(unicode_simple_fold('1'), '1');
    assert_int_equal(unicode_simple_fold(0x1E943), 0x1E921);
    assert_int_equal(unicode_simple_fold(UNICODE_MAX), UNICODE_MAX);
}

/* From case to case one comes back to where one began, and soon. */
static void test_cases_are_rings(void **state)
{
    (void)state;
    for (int32_t c = 0; c <= 0x1FFFF; c++) {
        int32_t other = unicode_simple_fold(c);
        for (int i = 0; i < 3 && other != c; i++)
            other = unicode_simple_fold(other);
        assert_int_equal(other, c);
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
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_cases_are_rings),
        cmocka_unit_test(test_printable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
