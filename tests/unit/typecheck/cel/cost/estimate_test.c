#include "typecheck/cel/cost/estimate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void is(struct estimate e, uint64_t min, uint64_t max)
{
    assert_int_equal(e.min, min);
    assert_true(e.max == max);
}

static void test_arithmetic_stops_at_the_largest(void **state)
{
    (void)state;
    is(estimate_add((struct estimate){1, UINT64_MAX}, estimate_fixed(5)), 6, UINT64_MAX);
    is(estimate_multiply((struct estimate){2, (uint64_t)1 << 63}, estimate_fixed(3)), 6, UINT64_MAX);
    is(estimate_multiply(ESTIMATE_UNKNOWN, estimate_fixed(0)), 0, 0);
    is(estimate_union((struct estimate){2, 5}, (struct estimate){3, 9}), 2, 9);
    assert_true(estimate_product(UINT64_MAX, 2) == UINT64_MAX);
}

static void test_scaling_rounds_up(void **state)
{
    (void)state;
    is(estimate_scale((struct estimate){1, 21}, 0.1), 1, 3);
    is(estimate_scale((struct estimate){0, 10}, 0.1), 0, 1);
    is(estimate_scale(ESTIMATE_UNKNOWN, 1), 0, UINT64_MAX);
    is(estimate_scale(ESTIMATE_UNKNOWN, 2.1), 0, UINT64_MAX);
}

static void test_division_is_exact_and_keeps_the_unknown(void **state)
{
    (void)state;
    is(estimate_divide((struct estimate){1, 21}, 10), 1, 3);
    is(estimate_divide((struct estimate){0, 20}, 10), 0, 2);
    is(estimate_divide((struct estimate){0, UINT64_MAX - 1}, 10), 0, UINT64_MAX / 10 + 1);
    is(estimate_divide(ESTIMATE_UNKNOWN, 10), 0, UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic_stops_at_the_largest),
        cmocka_unit_test(test_scaling_rounds_up),
        cmocka_unit_test(test_division_is_exact_and_keeps_the_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
