#include "typecheck/cel/types/celgo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typecheck/cel/types/env.h"

static void test_servers(void **state)
{
    (void)state;
    static const struct {
        int kubernetes, release;
    } cases[] = {{29, 17}, {30, 17}, {31, 20}, {32, 22}, {33, 23},
                 {34, 26}, {35, 26}, {36, 26}, {37, 29}, {38, 33}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(celgo_in(cases[i].kubernetes).release, cases[i].release);
    assert_int_equal(celgo_in(99).release, celgo_in(38).release);
    assert_int_equal(celgo_in(ENV_OLDEST_LEVEL + 1).release, CELGO_OLDEST);
    assert_int_equal(celgo_in(ENV_NEWEST_LEVEL).release, CELGO_NEWEST);
}

static void test_features(void **state)
{
    (void)state;
    assert_false(celgo_of(18).has_optional_type);
    assert_true(celgo_of(19).has_optional_type);
    assert_false(celgo_of(19).validates_formats);
    assert_true(celgo_of(20).validates_formats);
    assert_false(celgo_of(20).copies_targets);
    assert_true(celgo_of(21).copies_targets);
    assert_false(celgo_of(26).has_scopes);
    assert_true(celgo_of(27).has_scopes);
    assert_false(celgo_of(20).names_declared_types);
    assert_true(celgo_of(22).names_declared_types);
    assert_false(celgo_of(26).makes_types_only);
    assert_true(celgo_of(27).makes_types_only);
    assert_false(celgo_of(27).has_backquotes);
    assert_true(celgo_of(28).has_backquotes);
    assert_false(celgo_of(27).has_typed_optionals);
    assert_true(celgo_of(28).has_typed_optionals);
    assert_false(celgo_of(27).or_needs_optional);
    assert_true(celgo_of(28).or_needs_optional);
    assert_false(celgo_of(20).prices_own_types);
    assert_true(celgo_of(22).prices_own_types);
    assert_false(celgo_of(22).tracks_variables);
    assert_true(celgo_of(23).tracks_variables);
    assert_false(celgo_of(28).prices_global_matches);
    assert_true(celgo_of(29).prices_global_matches);
    assert_true(celgo_of(28).converts_ints_to_durations);
    assert_false(celgo_of(29).converts_ints_to_durations);
    assert_false(celgo_of(32).suggests_names);
    assert_true(celgo_of(33).suggests_names);
    assert_false(celgo_of(32).has_type_parameters);
    assert_true(celgo_of(33).has_type_parameters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_servers),
        cmocka_unit_test(test_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
