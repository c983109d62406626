#include "controller/observe/loopwatch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define MS 1000000ULL

enum { LONG_MS = LOOPWATCH_LONG_MS + 1 };

static bool is_stuck(struct loopwatch *w, uint64_t now_ms)
{
    uint64_t ms;
    return loopwatch_is_stuck_at(w, now_ms * MS, &ms);
}

static void note(struct loopwatch *w, uint64_t began_ms, uint64_t ended_ms)
{
    loopwatch_note(w, began_ms * MS, ended_ms * MS);
}

static void test_turn_after_turn_is_stuck(void **state)
{
    (void)state;
    struct loopwatch w = {0};
    uint64_t ms, now_ms = 1000;
    assert_false(is_stuck(&w, 5));
    note(&w, now_ms, now_ms + LOOPWATCH_LONG_MS); /* not too long */
    now_ms += LOOPWATCH_LONG_MS;
    note(&w, now_ms, now_ms + LONG_MS);
    now_ms += LONG_MS;
    assert_false(is_stuck(&w, now_ms)); /* once */
    note(&w, now_ms + 1, now_ms + 1 + LONG_MS);
    now_ms += 1 + LONG_MS;
    assert_true(is_stuck(&w, now_ms));
    assert_true(loopwatch_is_stuck_at(&w, now_ms * MS, &ms));
    assert_int_equal(ms, LONG_MS);
    note(&w, now_ms + 1, now_ms + 2); /* short ones in between */
    note(&w, now_ms + 2, now_ms + 2 + LONG_MS);
    now_ms += 2 + LONG_MS;
    assert_true(is_stuck(&w, now_ms + LOOPWATCH_WELL_MS));
}

/* A loop that turns again is not stuck: a restart would end a daemon that works. */
static void test_who_is_well_again_is_not_stuck(void **state)
{
    (void)state;
    struct loopwatch w = {0};
    uint64_t now_ms = 1000;
    for (int i = 0; i < 3; i++, now_ms += LONG_MS)
        note(&w, now_ms, now_ms + LONG_MS);
    assert_true(is_stuck(&w, now_ms));
    assert_false(is_stuck(&w, now_ms + LOOPWATCH_WELL_MS + 1));
    now_ms += LOOPWATCH_WELL_MS + 1;
    note(&w, now_ms, now_ms + LONG_MS);
    assert_false(is_stuck(&w, now_ms + LONG_MS));
}

/* Something answers probes all the while. */
static void test_a_turn_without_an_end_is_stuck(void **state)
{
    (void)state;
    struct loopwatch w = {0};
    uint64_t ms;
    loopwatch_begin(&w, 1000 * MS);
    assert_false(is_stuck(&w, 1000 + LOOPWATCH_LONG_MS)); /* not too long */
    assert_false(is_stuck(&w, 1000 + LONG_MS));           /* it may have been frozen until now */
    assert_false(is_stuck(&w, 1000 + LONG_MS + LOOPWATCH_WELL_MS - 1));
    assert_true(loopwatch_is_stuck_at(&w, (1000 + LONG_MS + LOOPWATCH_WELL_MS) * MS, &ms));
    assert_int_equal(ms, LONG_MS + LOOPWATCH_WELL_MS);
    assert_true(is_stuck(&w, 1000 + 10 * LONG_MS));
    loopwatch_begin(&w, (1001 + 10 * LONG_MS) * MS);
    assert_false(is_stuck(&w, 1002 + 10 * LONG_MS));
    assert_false(is_stuck(&w, 1002 + 11 * LONG_MS)); /* another one */
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
    assert_true(loopwatch_longest_seconds(&w) >= longest);
    assert_false(loopwatch_is_stuck(&w, &ms));
    loopwatch_close(&w, on_closed);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(closed, 1);
    assert_int_equal(uv_loop_close(&loop), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turn_after_turn_is_stuck),
        cmocka_unit_test(test_who_is_well_again_is_not_stuck),
        cmocka_unit_test(test_a_turn_without_an_end_is_stuck),
        cmocka_unit_test(test_turns_of_a_real_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
