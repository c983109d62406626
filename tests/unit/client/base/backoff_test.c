#include "client/base/backoff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct backoff_params plain = {.base_ms = 5, .cap_ms = 1000, .jitter = 0.0, .reset_ms = 0};

static void test_doubles_up_to_the_cap(void **state)
{
    (void)state;
    struct backoff b;
    backoff_init(&b, &plain, 1);
    static const uint64_t expected[] = {5, 10, 20, 40, 80, 160, 320, 640, 1000, 1000, 1000};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(backoff_next(&b, 0), expected[i]);
    backoff_reset(&b);
    assert_int_equal(backoff_next(&b, 0), 5);
}

static void test_reflector_series(void **state)
{
    (void)state;
    struct backoff b;
    backoff_init(&b, &backoff_reflector, 42);
    uint64_t base = 800;
    uint64_t now = 0;
    uint64_t last = 0;
    for (int i = 0; i < 20; i++) {
        const uint64_t delay = backoff_next(&b, now);
        assert_in_range(delay, base, 2 * base);
        base = base * 2 > 30000 ? 30000 : base * 2;
        last = now;
        now += delay;
    }
    assert_in_range(backoff_next(&b, last + 119999), 30000, 60000);
    assert_in_range(backoff_next(&b, last + 119999 + 120000), 800, 1600);
}

static void test_random_is_spread(void **state)
{
    (void)state;
    uint64_t seed = 7;
    int low = 0;
    for (int i = 0; i < 1000; i++) {
        const double r = backoff_random(&seed);
        assert_true(r >= 0.0 && r < 1.0);
        low += r < 0.5;
    }
    assert_in_range(low, 400, 600);
    assert_true(backoff_seed() != backoff_seed());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doubles_up_to_the_cap),
        cmocka_unit_test(test_reflector_series),
        cmocka_unit_test(test_random_is_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
