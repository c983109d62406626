#include "client/base/timer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

enum { PASSES = 20, ENDLESS = 1000 };

static uv_loop_t loop;
static uv_timer_t timer;
static unsigned calls, calls_at_poll, polls;

static void on_again(uv_timer_t *t)
{
    assert_ptr_equal(t, &timer);
    if (++calls < ENDLESS)
        timer_start(t, on_again, 0, 0);
}

/* Due long before the pass ends. */
static void on_late(uv_timer_t *t)
{
    usleep(3000);
    on_again(t);
}

static void on_poll_begins(uv_prepare_t *prepare)
{
    assert_true(calls - calls_at_poll <= 1);
    calls_at_poll = calls;
    if (++polls == PASSES) {
        uv_close((uv_handle_t *)prepare, NULL);
        uv_close((uv_handle_t *)&timer, NULL);
    }
}

static void run(uv_timer_cb on_due, uint64_t delay_ms, uint64_t repeat_ms)
{
    uv_prepare_t prepare;
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_prepare_init(&loop, &prepare);
    uv_prepare_start(&prepare, on_poll_begins);
    calls = calls_at_poll = polls = 0;
    timer_start(&timer, on_due, delay_ms, repeat_ms);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(polls, PASSES);
    assert_int_equal(uv_loop_close(&loop), 0);
}

static void test_the_loop_polls_between_two_calls(void **state)
{
    (void)state;
    run(on_again, 0, 0);
    assert_true(calls >= PASSES - 2);
    run(on_late, 0, 0);
    assert_true(calls >= PASSES - 2);
    run(on_again, 0, 1);
}

/* Ends the pass: a pass whose timers are called before it polls would wait for the repeat, too. */
static void on_noted(uv_timer_t *t)
{
    calls++;
    uv_stop(t->loop);
}

static void test_delays_and_repeats(void **state)
{
    (void)state;
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    calls = 0;
    timer_start(&timer, on_noted, 7, 0);
    assert_in_range(uv_timer_get_due_in(&timer), 6, 7);
    assert_int_equal(uv_timer_get_repeat(&timer), 0);
    timer_start(&timer, on_noted, 0, 5000);
    assert_in_range(uv_timer_get_due_in(&timer), 0, 1);
    assert_int_equal(uv_timer_get_repeat(&timer), 5000);
    usleep(2000); /* due when the pass begins */
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(calls, 1);
    assert_true(uv_timer_get_due_in(&timer) > 4000);
    timer_start(&timer, on_noted, UINT64_MAX, 0); /* far away is not now */
    uv_run(&loop, UV_RUN_NOWAIT);
    assert_int_equal(calls, 1);
    uv_close((uv_handle_t *)&timer, NULL);
    timer_start(&timer, on_noted, 0, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(calls, 1);
    assert_int_equal(uv_loop_close(&loop), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_loop_polls_between_two_calls),
        cmocka_unit_test(test_delays_and_repeats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
