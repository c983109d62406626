#include "controller/loopwatch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define MS 1000000ULL

static void test_long_turns_count_for_a_while(void **state)
{
    (void)state;
    struct loopwatch w = {0};
    uint64_t ms;
    assert_false(loopwatch_is_stuck_at(&w, 5 * MS, &ms));
    loopwatch_note(&w, 1000 * MS, (1000 + LOOPWATCH_LONG_MS) * MS);
    assert_false(loopwatch_is_stuck_at(&w, 20000 * MS, &ms));
    loopwatch_note(&w, 20000 * MS, (20001 + LOOPWATCH_LONG_MS) * MS);
    uint64_t ended_ms = 20001 + LOOPWATCH_LONG_MS;
    loopwatch_note(&w, (ended_ms + 1) * MS, (ended_ms + 2) * MS);
    assert_true(loopwatch_is_stuck_at(&w, (ended_ms + 3) * MS, &ms));
    assert_int_equal(ms, LOOPWATCH_LONG_MS + 1);
    assert_true(loopwatch_is_stuck_at(&w, (ended_ms + LOOPWATCH_RECENT_MS) * MS, &ms));
    assert_false(loopwatch_is_stuck_at(&w, (ended_ms + LOOPWATCH_RECENT_MS + 1) * MS, &ms));
    /* a loop that does nothing but long turns never looks well between two of them */
    loopwatch_note(&w, 60000 * MS, 80000 * MS);
    assert_true(loopwatch_is_stuck_at(&w, 80001 * MS, &ms));
    loopwatch_note(&w, 80001 * MS, 100000 * MS);
    assert_true(loopwatch_is_stuck_at(&w, 100000 * MS, &ms));
}

static double longest;
static unsigned turns, closed;

static void on_turn(void *user, double seconds)
{
    (void)user;
    turns++;
    if (seconds > longest)
        longest = seconds;
}

static void on_timer(uv_timer_t *timer)
{
    usleep(50 * 1000);
    uv_close((uv_handle_t *)timer, NULL);
}

static void on_closed(void *user)
{
    (void)user;
    closed++;
}

/* The time in poll, here a second of waiting, is no part of a turn. */
static void test_turns_of_a_real_loop(void **state)
{
    (void)state;
    uv_loop_t loop;
    uv_timer_t timer;
    struct loopwatch w;
    uint64_t ms;
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 1000, 0);
    loopwatch_start(&w, &loop, on_turn, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_true(turns >= 2);
    assert_true(longest >= 0.05 && longest < 1);
    assert_false(loopwatch_is_stuck(&w, &ms));
    loopwatch_close(&w, on_closed);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(closed, 1);
    assert_int_equal(uv_loop_close(&loop), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_turns_count_for_a_while),
        cmocka_unit_test(test_turns_of_a_real_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
