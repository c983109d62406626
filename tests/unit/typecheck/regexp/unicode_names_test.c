#include "typecheck/regexp/unicode_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_names(void **state)
{
    (void)state;
    assert_true(unicode_names_has(STR("Adlam")));
    assert_true(unicode_names_has(STR("Zs")));
    assert_true(unicode_names_has(STR("Greek")));
    assert_true(unicode_names_has(STR("LC")));
    assert_true(unicode_names_has(STR("Any")));
    assert_true(unicode_names_has(STR("Decimal_Number")));
    assert_false(unicode_names_has(STR("")));
    assert_false(unicode_names_has(STR("Klingon")));
    assert_false(unicode_names_has(STR("Gree")));
    assert_false(unicode_names_has(STR("Greekk")));
    assert_false(unicode_names_has(STR("L\0")));
    assert_false(unicode_names_has(STR("Greek Greek Greek Greek Greek Greek Greek")));
}

static void test_spelling(void **state)
{
    (void)state;
    assert_true(unicode_names_has(STR("gREEK")));
    assert_true(unicode_names_has(STR("_l-u ")));
    assert_true(unicode_names_has(STR("decimal number")));
    assert_true(unicode_names_has(STR("L_____________________________________________l")));
    assert_false(unicode_names_has(STR("Gr.eek")));
}

/* Found in Unicode, but not by Go. */
static void test_scripts_of_two_words(void **state)
{
    (void)state;
    assert_false(unicode_names_has(STR("Old_Italic")));
    assert_false(unicode_names_has(STR("SignWriting")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_spelling),
        cmocka_unit_test(test_scripts_of_two_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
