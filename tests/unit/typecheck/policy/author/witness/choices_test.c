#include "typecheck/policy/author/witness/choices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The last choice changes first; where there is nothing to choose there is one try. */
static void test_tries_are_in_order(void **state)
{
    (void)state;
    struct choices c;
    unsigned seen[6][2];
    size_t tries = 0;
    choices_init(&c);
    do {
        assert_true(tries < 6);
        seen[tries][0] = choices_take(&c, 2);
        assert_int_equal(choices_take(&c, 1), 0);
        seen[tries++][1] = choices_take(&c, 3);
    } while (choices_next(&c));
    assert_int_equal(tries, 6);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(seen[i][0], i / 3);
        assert_int_equal(seen[i][1], i % 3);
    }
    choices_init(&c);
    assert_int_equal(choices_take(&c, 1), 0);
    assert_false(choices_next(&c));
}

/* Of many choices not only the last ones change; the same each time. */
static void test_later_tries_are_by_lot(void **state)
{
    (void)state;
    unsigned first[2] = {0, 0};
    for (size_t round = 0; round < 2; round++) {
        struct choices c;
        choices_init(&c);
        for (unsigned tries = 0; tries < 200; tries++) {
            first[round] = 2 * first[round] + choices_take(&c, 2);
            for (size_t i = 0; i < 80; i++)
                assert_true(choices_take(&c, 5) < 5);
            assert_true(choices_next(&c));
        }
    }
    assert_true(first[0] != 0);
    assert_int_equal(first[0], first[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tries_are_in_order),
        cmocka_unit_test(test_later_tries_are_by_lot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
