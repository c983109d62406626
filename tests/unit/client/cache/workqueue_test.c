#include "client/cache/workqueue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>

#include "client/base/due.h"

static void expect_take(struct workqueue *q, uint64_t now_ms, const char *key)
{
    const char *taken = workqueue_take(q, now_ms);
    if (key == NULL) {
        assert_null(taken);
    } else {
        assert_non_null(taken);
        assert_string_equal(taken, key);
    }
}

static void test_a_key_is_queued_once(void **state)
{
    (void)state;
    struct workqueue *q = workqueue_new();
    workqueue_add(q, "a", 0, 0);
    workqueue_add(q, "b", 0, 0);
    workqueue_add(q, "a", 0, 0);
    assert_int_equal(workqueue_depth(q), 2);
    expect_take(q, 0, "a");
    expect_take(q, 0, "b");
    expect_take(q, 0, NULL);
    assert_int_equal(workqueue_in_work(q), 2);
    workqueue_done(q, "a", 0);
    workqueue_done(q, "b", 0);
    expect_take(q, 0, NULL);
    workqueue_free(q);
}

static void test_added_while_worked_on_comes_again_afterwards(void **state)
{
    (void)state;
    struct workqueue *q = workqueue_new();
    workqueue_add(q, "a", 0, 0);
    expect_take(q, 0, "a");
    workqueue_add(q, "a", 0, 0);
    workqueue_add(q, "a", 0, 0);
    assert_int_equal(workqueue_depth(q), 0);
    expect_take(q, 0, NULL);
    workqueue_done(q, "a", 0);
    expect_take(q, 0, "a");
    workqueue_done(q, "a", 0);
    expect_take(q, 0, NULL);
    workqueue_free(q);
}

static void test_delayed_keys_come_by_time(void **state)
{
    (void)state;
    struct workqueue *q = workqueue_new();
    char key[8];
    assert_int_equal(workqueue_next_ms(q), DUE_NEVER);
    for (unsigned i = 0; i < 100; i++) {
        snprintf(key, sizeof key, "k%02u", (i * 37) % 100);
        workqueue_add_after(q, key, (i * 37) % 100 + 1, 1000);
    }
    for (unsigned i = 0; i < 100; i++) {
        assert_int_equal(workqueue_next_ms(q), 1001 + i);
        expect_take(q, 1000 + i, NULL);
        snprintf(key, sizeof key, "k%02u", i);
        expect_take(q, 1001 + i, key);
        workqueue_done(q, key, 0);
    }
    assert_int_equal(workqueue_next_ms(q), DUE_NEVER);
    workqueue_free(q);
}

static void test_the_earlier_delay_wins(void **state)
{
    (void)state;
    struct workqueue *q = workqueue_new();
    workqueue_add_after(q, "a", 100, 0);
    workqueue_add_after(q, "a", 50, 0);
    workqueue_add_after(q, "a", 200, 0);
    assert_int_equal(workqueue_next_ms(q), 50);
    workqueue_add_after(q, "a", 0, 0);
    expect_take(q, 0, "a");
    /* the delayed one is still to come */
    expect_take(q, 50, NULL);
    workqueue_done(q, "a", 0);
    expect_take(q, 50, "a");
    workqueue_free(q);
}

static void test_failures_double_the_delay(void **state)
{
    (void)state;
    struct workqueue *q = workqueue_new();
    uint64_t expected = 5, now_ms = 0;
    for (unsigned i = 0; i < 70; i++) {
        assert_int_equal(workqueue_add_failed(q, "a", now_ms), expected);
        expect_take(q, now_ms + expected - 1, NULL);
        now_ms += expected;
        expect_take(q, now_ms, "a");
        workqueue_done(q, "a", 0);
        expected = expected * 2 > 1000000 ? 1000000 : expected * 2;
    }
    workqueue_forget(q, "a");
    assert_int_equal(workqueue_add_failed(q, "a", 0), 5);
    workqueue_forget(q, "unknown");
    workqueue_free(q);
}

/* Forgetting does not take a key out of the queue. */
static void test_forgotten_keys_stay_queued(void **state)
{
    (void)state;
    struct workqueue *q = workqueue_new();
    workqueue_add(q, "a", 0, 0);
    workqueue_forget(q, "a");
    workqueue_add_after(q, "b", 10, 0);
    workqueue_forget(q, "b");
    expect_take(q, 0, "a");
    workqueue_forget(q, "a");
    workqueue_done(q, "a", 0);
    expect_take(q, 10, "b");
    workqueue_free(q);
}

struct observed {
    unsigned adds, retries, takes, dones;
    uint64_t waited_ms, worked_ms;
};

static void on_add(void *user)
{
    ((struct observed *)user)->adds++;
}

static void on_retry(void *user)
{
    ((struct observed *)user)->retries++;
}

static void on_take(void *user, uint64_t waited_ms)
{
    ((struct observed *)user)->takes++;
    ((struct observed *)user)->waited_ms += waited_ms;
}

static void on_done(void *user, uint64_t worked_ms)
{
    ((struct observed *)user)->dones++;
    ((struct observed *)user)->worked_ms += worked_ms;
}

/* As client-go counts: an add of what is queued already is none, a retry is an add once it is due. */
static void test_an_observer_sees_what_happens(void **state)
{
    (void)state;
    struct workqueue *q = workqueue_new();
    struct observed o = {0};
    uint64_t longest_ms = 1;
    workqueue_observe(q, &(struct workqueue_observer){on_add, on_retry, on_take, on_done, &o});
    workqueue_add(q, "a", 7, 1000);
    workqueue_add(q, "a", 8, 1005);
    workqueue_add(q, "b", 9, 1010);
    assert_int_equal(workqueue_unfinished_ms(q, 1010, &longest_ms), 0);
    assert_int_equal(longest_ms, 0);
    expect_take(q, 1020, "a");
    assert_int_equal(workqueue_cause(q, "a"), 7);
    expect_take(q, 1025, "b");
    assert_int_equal(workqueue_cause(q, "b"), 9);
    assert_int_equal(workqueue_unfinished_ms(q, 1040, &longest_ms), 35);
    assert_int_equal(longest_ms, 20);
    workqueue_add(q, "a", 3, 1030);
    workqueue_done(q, "a", 1050);
    workqueue_add_failed(q, "b", 1050);
    workqueue_done(q, "b", 1050);
    assert_int_equal(o.adds, 3);
    assert_int_equal(o.retries, 1);
    assert_int_equal(o.waited_ms, 20 + 15);
    assert_int_equal(o.worked_ms, 30 + 25);
    expect_take(q, 1060, "a");
    assert_int_equal(workqueue_cause(q, "a"), 3);
    expect_take(q, 1060, "b");
    assert_int_equal(workqueue_cause(q, "b"), WORKQUEUE_RETRY);
    assert_int_equal(o.adds, 4);
    assert_int_equal(o.takes, 4);
    assert_int_equal(o.dones, 2);
    assert_int_equal(o.waited_ms, 20 + 15 + 30);
    workqueue_free(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_key_is_queued_once),
        cmocka_unit_test(test_added_while_worked_on_comes_again_afterwards),
        cmocka_unit_test(test_delayed_keys_come_by_time),
        cmocka_unit_test(test_the_earlier_delay_wins),
        cmocka_unit_test(test_failures_double_the_delay),
        cmocka_unit_test(test_forgotten_keys_stay_queued),
        cmocka_unit_test(test_an_observer_sees_what_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
