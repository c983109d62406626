#include "controller/reconcile/holds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static int freed[8];
static int objects[8];

static void free_object(void *object)
{
    freed[(int *)object - objects]++;
}

static struct holds holds;

static int begin(void **state)
{
    (void)state;
    holds_init(&holds);
    for (size_t i = 0; i < 8; i++)
        freed[i] = 0;
    return 0;
}

static void retire(int object)
{
    holds_retire(&holds, &objects[object], free_object);
}

static void test_without_a_hold_it_is_freed_at_once(void **state)
{
    (void)state;
    retire(0);
    assert_int_equal(freed[0], 1);
    holds_retire(&holds, NULL, free_object);
    holds_deinit(&holds);
}

static void test_what_is_retired_stays_until_the_release(void **state)
{
    (void)state;
    struct hold hold = {0};
    holds_release(&holds, &hold); /* not taken */
    holds_take(&holds, &hold);
    retire(0);
    retire(1);
    assert_int_equal(freed[0] + freed[1], 0);
    holds_release(&holds, &hold);
    assert_int_equal(freed[0], 1);
    assert_int_equal(freed[1], 1);
    holds_deinit(&holds);
}

/* Holds that overlap for ever keep nothing for ever. */
static void test_a_younger_hold_keeps_nothing_older(void **state)
{
    (void)state;
    struct hold a = {0}, b = {0}, c = {0};
    holds_take(&holds, &a);
    retire(0);
    holds_take(&holds, &b);
    retire(1);
    holds_take(&holds, &c);
    holds_release(&holds, &a);
    assert_int_equal(freed[0], 1);
    assert_int_equal(freed[1], 0);
    holds_release(&holds, &c); /* the older one still reads it */
    assert_int_equal(freed[1], 0);
    holds_take(&holds, &b); /* anew: it reads what there is now */
    assert_int_equal(freed[1], 1);
    holds_release(&holds, &b);
    holds_deinit(&holds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_without_a_hold_it_is_freed_at_once, begin),
        cmocka_unit_test_setup(test_what_is_retired_stays_until_the_release, begin),
        cmocka_unit_test_setup(test_a_younger_hold_keeps_nothing_older, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
