#include "client/discovery/polled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void read_at(struct polled *p, bool is_read, uint64_t now_ms)
{
    polled_begin(p, now_ms);
    assert_true(polled_delay(p, now_ms) == UINT64_MAX);
    polled_end(p, is_read, now_ms);
}

/* The next reading, which is when it is due. */
static uint64_t next(struct polled *p, bool is_read, uint64_t now_ms)
{
    const uint64_t delay_ms = polled_delay(p, now_ms);
    read_at(p, is_read, now_ms + delay_ms);
    return delay_ms;
}

static void test_the_period(void **state)
{
    (void)state;
    struct polled p;
    uint64_t now = 5000, low = UINT64_MAX, high = 0;
    polled_init(&p, 1);
    assert_int_equal(polled_delay(&p, 0), 0);
    read_at(&p, true, now);
    for (int i = 0; i < 200; i++) {
        const uint64_t delay = next(&p, true, now);
        now += delay;
        low = delay < low ? delay : low;
        high = delay > high ? delay : high;
    }
    assert_in_range(low, 54000, 55000);
    assert_in_range(high, 65000, 66000);
}

/* Asking is free: what is due is due, however often one asks. */
static void test_asking_changes_nothing(void **state)
{
    (void)state;
    struct polled p;
    polled_init(&p, 1);
    read_at(&p, true, 1000);
    const uint64_t due = 1000 + polled_delay(&p, 1000);
    for (uint64_t now = 1000; now < due; now += 100)
        assert_int_equal(now + polled_delay(&p, now), due);
    assert_int_equal(polled_delay(&p, due + 1), 0);
}

static void test_what_was_announced_is_read_often(void **state)
{
    (void)state;
    struct polled p;
    uint64_t now = 10000;
    polled_init(&p, 1);
    read_at(&p, true, 1000);
    polled_announce(&p, now);
    assert_int_equal(next(&p, true, now), 0); /* the last reading is older */
    for (; now < 15000; now += 250)
        assert_int_equal(next(&p, true, now), 250);
    for (uint64_t step = 1000; step <= 32000; step *= 2) {
        assert_int_equal(next(&p, true, now), step);
        now += step;
    }
    /* it came to nothing */
    assert_in_range(polled_delay(&p, now), 54000, 66000);
    polled_announce(&p, now);
    assert_int_equal(polled_delay(&p, now), 250);
    polled_settle(&p);
    assert_in_range(polled_delay(&p, now), 54000, 66000);
}

/* 50 announcements in 6 s, and one every 50 s for ever: neither puts a reading off. */
static void test_announcements_delay_nothing(void **state)
{
    (void)state;
    struct polled p;
    uint64_t now = 10000;
    unsigned readings = 0;
    polled_init(&p, 1);
    read_at(&p, true, 1000);
    for (int i = 0; i < 50; i++, now += 120) {
        polled_announce(&p, now);
        if (polled_delay(&p, now) > 0)
            continue;
        read_at(&p, true, now);
        readings++;
    }
    assert_in_range(readings, 15, 25);
    /* A server that fails: once a second at most, once a minute without news. */
    for (int i = 0; i < 10; i++)
        now += next(&p, false, now);
    assert_int_equal(polled_delay(&p, now), 60000);
    for (int i = 0; i < 10; i++) {
        now += 50000;
        polled_announce(&p, now);
        assert_int_equal(next(&p, false, now), 0);
    }
}

static void test_failures_back_off(void **state)
{
    (void)state;
    static const uint64_t expected[] = {1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000};
    struct polled p;
    uint64_t now = 1000;
    polled_init(&p, 1);
    polled_announce(&p, 0);
    read_at(&p, false, now);
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(next(&p, false, now), expected[i]);
        now += expected[i];
    }
    read_at(&p, true, now);
    assert_in_range(polled_delay(&p, now), 54000, 66000);
}

static void test_doubt(void **state)
{
    (void)state;
    struct polled p;
    polled_init(&p, 1);
    read_at(&p, true, 1000);
    polled_doubt(&p, 1000);
    assert_int_equal(polled_delay(&p, 2000), 4000);
    polled_trust(&p);
    assert_in_range(polled_delay(&p, 1000), 54000, 66000);
}

static void test_belief(void **state)
{
    (void)state;
    struct belief b = {0};
    assert_true(belief_weigh(&b, false, true, 0)); /* announced */
    assert_false(b.has_candidate);
    assert_false(belief_weigh(&b, true, false, 0)); /* as a candidate that is none */
    assert_false(belief_weigh(&b, true, false, 4999));
    assert_true(belief_weigh(&b, true, false, 5000));
    assert_false(belief_weigh(&b, false, false, 6000));
    assert_false(belief_weigh(&b, false, false, 12000)); /* another: from now on */
    assert_int_equal(b.since_ms, 12000);
    belief_forget(&b);
    assert_false(belief_weigh(&b, true, false, 20000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_period),
        cmocka_unit_test(test_asking_changes_nothing),
        cmocka_unit_test(test_what_was_announced_is_read_often),
        cmocka_unit_test(test_announcements_delay_nothing),
        cmocka_unit_test(test_failures_back_off),
        cmocka_unit_test(test_doubt),
        cmocka_unit_test(test_belief),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
