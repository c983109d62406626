#include "client/base/timer.h"

void timer_start(uv_timer_t *timer, uv_timer_cb on_due, uint64_t delay_ms, uint64_t repeat_ms)
{
    /* the only failure is a timer that is closing, whose callback nobody waits for */
    (void)uv_timer_start(timer, on_due, delay_ms < TIMER_LEAST_MS ? TIMER_LEAST_MS : delay_ms, repeat_ms);
}
