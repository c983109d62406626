#include "client/discovery/announced.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void test_an_announcement_ages(void **state)
{
    (void)state;
    struct announced a = {0};
    uint64_t at = 0;
    assert_false(announced_has(&a, "g", 1, 0));
    assert_false(announced_newest(&a, 0, &at));
    announced_add(&a, "g", 1000);
    announced_add(&a, "", 2000);
    assert_true(announced_has(&a, "gh", 1, 1000));
    assert_false(announced_has(&a, "gh", 2, 1000));
    assert_true(announced_has(&a, "", 0, 2000));
    assert_true(announced_newest(&a, 2000, &at));
    assert_int_equal(at, 2000);
    announced_close(&a, "", 0, 1999); /* that reading was too early */
    assert_true(announced_newest(&a, 2000, &at));
    assert_int_equal(at, 2000);
    announced_close(&a, "", 0, 2000);
    assert_true(announced_newest(&a, 2000, &at));
    assert_int_equal(at, 1000);
    assert_true(announced_has(&a, "", 0, 2000)); /* it is believed all the same */
    assert_true(announced_has(&a, "g", 1, 1000 + ANNOUNCED_MS - 1));
    assert_false(announced_has(&a, "g", 1, 1000 + ANNOUNCED_MS));
    assert_false(announced_newest(&a, 1000 + ANNOUNCED_MS, &at));
    announced_add(&a, "", 1000 + ANNOUNCED_MS);
    assert_true(announced_newest(&a, 1000 + ANNOUNCED_MS, &at)); /* anew */
    announced_deinit(&a);
}

/* Those that are past are forgotten by the ones that come. */
static void test_the_list_shrinks(void **state)
{
    (void)state;
    struct announced a = {0};
    char group[16];
    for (unsigned i = 0; i < 100000; i++) {
        snprintf(group, sizeof group, "g%u", i);
        announced_add(&a, group, 1000 + i * 100);
        assert_true(a.groups.count <= 2 * ANNOUNCED_MS / 100);
    }
    announced_deinit(&a);
    assert_int_equal(a.groups.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_announcement_ages),
        cmocka_unit_test(test_the_list_shrinks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
