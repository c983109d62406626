#include "typecheck/celgo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_servers(void **state)
{
    (void)state;
    static const struct {
        int kubernetes, release;
    } cases[] = {{29, 17}, {30, 17}, {31, 20}, {32, 22}, {33, 23}, {34, 26}, {35, 26}, {36, 26}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(celgo_in(cases[i].kubernetes).release, cases[i].release);
    assert_int_equal(celgo_in(99).release, celgo_in(36).release);
}

static void test_features(void **state)
{
    (void)state;
    assert_false(celgo_of(19).validates_formats);
    assert_true(celgo_of(20).validates_formats);
    assert_false(celgo_of(26).has_scopes);
    assert_true(celgo_of(27).has_scopes);
    assert_false(celgo_of(26).makes_types_only);
    assert_true(celgo_of(27).makes_types_only);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_servers),
        cmocka_unit_test(test_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
