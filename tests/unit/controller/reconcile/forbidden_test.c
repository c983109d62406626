#include "controller/reconcile/forbidden.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "client/base/due.h"

static struct forbidden *f;
static uint64_t now_ms;

static int begin(void **state)
{
    (void)state;
    f = forbidden_new();
    now_ms = 5000;
    return 0;
}

static int end(void **state)
{
    (void)state;
    forbidden_free(f);
    return 0;
}

static void expect_take(const char *key)
{
    const char *taken = forbidden_take(f, now_ms);
    if (key == NULL)
        assert_null(taken);
    else
        assert_string_equal(taken, key);
}

static void expect_due_after(uint64_t delay_ms)
{
    assert_int_equal(forbidden_next_ms(f) - now_ms, delay_ms);
}

static void expect_nothing_due(void)
{
    assert_int_equal(forbidden_next_ms(f), DUE_NEVER);
}

static void put(const char *key)
{
    forbidden_put(f, key, now_ms);
}

static void test_one_a_minute_in_turn(void **state)
{
    static const char *const turns[] = {"a", "b", "c"};
    (void)state;
    expect_nothing_due();
    put("b");
    assert_int_equal(forbidden_right(f), FORBIDDEN_UNSURE);
    assert_true(forbidden_may_try(f, "a"));
    put("c");
    assert_int_equal(forbidden_right(f), FORBIDDEN_MISSING);
    now_ms += 10;
    assert_false(forbidden_may_try(f, "a"));
    assert_false(forbidden_may_try(f, "a"));
    expect_due_after(FORBIDDEN_MS - 10);
    expect_take(NULL);
    now_ms += FORBIDDEN_MS - 10;
    /* those that were never refused go first */
    for (size_t i = 0; i < 9; i++) {
        expect_take(turns[i % 3]);
        expect_take(NULL);
        expect_nothing_due();
        assert_true(forbidden_may_try(f, turns[i % 3]));
        assert_false(forbidden_may_try(f, turns[(i + 1) % 3]));
        assert_int_equal(forbidden_put(f, turns[i % 3], now_ms), FORBIDDEN_KNOWN);
        expect_due_after(FORBIDDEN_MS);
        assert_int_equal(forbidden_count(f), 3);
        now_ms += FORBIDDEN_MS;
    }
}

static void test_once_one_is_granted_all_are_tried(void **state)
{
    (void)state;
    put("a");
    put("z");
    forbidden_remove(f, "z");
    (void)forbidden_may_try(f, "b");
    (void)forbidden_may_try(f, "c");
    now_ms += FORBIDDEN_MS;
    expect_take("b");
    forbidden_grant(f, "b");
    assert_int_equal(forbidden_right(f), FORBIDDEN_GRANTED);
    assert_true(forbidden_may_try(f, "d"));
    expect_take("c");
    expect_take("a");
    expect_take(NULL);
    expect_nothing_due();
    assert_int_equal(forbidden_count(f), 2);
    forbidden_grant(f, "c");
    put("a");
    assert_int_equal(forbidden_count(f), 1);
    expect_due_after(FORBIDDEN_MS);
}

/* One refusal may be about that object alone; that of another as well is about all. */
static void test_when_the_right_is_missing(void **state)
{
    (void)state;
    assert_int_equal(forbidden_right(f), FORBIDDEN_UNSURE);
    forbidden_grant(f, "a");
    assert_int_equal(forbidden_put(f, "b", now_ms), FORBIDDEN_ONE);
    assert_int_equal(forbidden_right(f), FORBIDDEN_UNSURE);
    assert_int_equal(forbidden_put(f, "b", now_ms), FORBIDDEN_KNOWN);
    assert_int_equal(forbidden_right(f), FORBIDDEN_UNSURE);
    assert_true(forbidden_may_try(f, "c"));
    assert_int_equal(forbidden_put(f, "c", now_ms), FORBIDDEN_ALL);
    assert_false(forbidden_may_try(f, "d"));
    assert_int_equal(forbidden_put(f, "e", now_ms), FORBIDDEN_KNOWN); /* sent before */
    forbidden_grant(f, "g");
    assert_true(forbidden_may_try(f, "d"));
    assert_int_equal(forbidden_put(f, "c", now_ms), FORBIDDEN_KNOWN);
    forbidden_grant(f, "a");
    assert_int_equal(forbidden_put(f, "h", now_ms), FORBIDDEN_ONE);
}

/* One that needs no request any more tells nothing: the next one does, at once. */
static void test_a_try_that_sends_nothing(void **state)
{
    (void)state;
    put("a");
    put("z");
    (void)forbidden_may_try(f, "b");
    (void)forbidden_may_try(f, "c");
    now_ms += FORBIDDEN_MS;
    expect_take("b");
    expect_take(NULL);
    forbidden_remove(f, "b");
    assert_int_equal(forbidden_count(f), 3);
    expect_take("c");
    expect_take(NULL);
}

/* What others may does not make one that may not come more often. */
static void test_none_comes_sooner_than_its_minute(void **state)
{
    (void)state;
    put("a");
    now_ms += FORBIDDEN_MS / 2;
    forbidden_grant(f, "another");
    expect_take(NULL);
    expect_due_after(FORBIDDEN_MS / 2);
    now_ms += FORBIDDEN_MS / 2;
    expect_take("a");
    put("a");
    forbidden_grant(f, "another");
    expect_due_after(FORBIDDEN_MS);
}

static void test_what_is_refused_again_goes_to_the_end(void **state)
{
    (void)state;
    put("a");
    put("b");
    put("a");
    now_ms += FORBIDDEN_MS;
    expect_take("b");
    put("b");
    now_ms += FORBIDDEN_MS;
    expect_take("a");
}

static void test_what_is_gone_is_not_tried(void **state)
{
    (void)state;
    put("a");
    put("b");
    put("c");
    forbidden_remove(f, "c");
    forbidden_remove(f, "a");
    forbidden_remove(f, "nobody");
    put("d");
    assert_int_equal(forbidden_count(f), 2);
    now_ms += FORBIDDEN_MS;
    expect_take("b");
    forbidden_remove(f, "b");
    expect_take("d");
    forbidden_remove(f, "d");
    assert_int_equal(forbidden_count(f), 0);
    expect_nothing_due();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_one_a_minute_in_turn, begin, end),
        cmocka_unit_test_setup_teardown(test_once_one_is_granted_all_are_tried, begin, end),
        cmocka_unit_test_setup_teardown(test_when_the_right_is_missing, begin, end),
        cmocka_unit_test_setup_teardown(test_a_try_that_sends_nothing, begin, end),
        cmocka_unit_test_setup_teardown(test_none_comes_sooner_than_its_minute, begin, end),
        cmocka_unit_test_setup_teardown(test_what_is_refused_again_goes_to_the_end, begin, end),
        cmocka_unit_test_setup_teardown(test_what_is_gone_is_not_tried, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
