#include "client/base/tokenbucket.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { BURST = 3, PERIOD_MS = 100 };

static unsigned take_all(struct tokenbucket *b, uint64_t now_ms)
{
    unsigned taken = 0;
    while (tokenbucket_take(b, BURST, PERIOD_MS, now_ms))
        taken++;
    return taken;
}

static void test_a_burst_then_one_a_period(void **state)
{
    (void)state;
    struct tokenbucket b = {0};
    assert_int_equal(take_all(&b, 5000), BURST);
    assert_int_equal(take_all(&b, 5099), 0);
    for (uint64_t i = 1; i <= 50; i++) {
        assert_int_equal(take_all(&b, 5000 + i * PERIOD_MS - 1), 0);
        assert_int_equal(take_all(&b, 5000 + i * PERIOD_MS), 1);
    }
}

static void test_a_rest_fills_it_and_no_more(void **state)
{
    (void)state;
    struct tokenbucket b = {0};
    assert_int_equal(take_all(&b, 0), BURST);
    assert_int_equal(take_all(&b, 250), 2);
    assert_int_equal(take_all(&b, 299), 0);
    assert_int_equal(take_all(&b, 300), 1);
    assert_int_equal(take_all(&b, 1000000), BURST);
    assert_int_equal(take_all(&b, 1000000), 0);
}

/* A bucket that was full does not save up the time before its first use. */
static void test_the_first_use_starts_the_period(void **state)
{
    (void)state;
    struct tokenbucket b = {0};
    assert_true(tokenbucket_take(&b, BURST, PERIOD_MS, 0));
    assert_int_equal(take_all(&b, 10 * PERIOD_MS + 99), BURST);
    assert_int_equal(take_all(&b, 11 * PERIOD_MS + 98), 0);
    assert_int_equal(take_all(&b, 11 * PERIOD_MS + 99), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_burst_then_one_a_period),
        cmocka_unit_test(test_a_rest_fills_it_and_no_more),
        cmocka_unit_test(test_the_first_use_starts_the_period),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
