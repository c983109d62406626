/*
 * timer: starts libuv's timers. Nothing else in these programs calls uv_timer_start.
 *
 * libuv 1.44 runs all timers that are due before it polls, also those that a timer's
 * callback has just started. A timer of 0 ms that starts itself again would keep the
 * loop from polling for ever, and stop the loop's clock. So a timer started here is
 * due 1 ms later at the earliest, however its delay was computed: sockets are polled
 * between any two calls of it.
 *
 *     timer_start(&timer, on_due, due_ms > now_ms ? due_ms - now_ms : 0, 0);
 */
#ifndef CLIENT_BASE_TIMER_H
#define CLIENT_BASE_TIMER_H

#include <stdint.h>
#include <uv.h>

enum { TIMER_LEAST_MS = 1 };

/* May be called from anywhere on the loop's thread. The callback comes after delay_ms, or TIMER_LEAST_MS if
 * that is longer, and then every repeat_ms; 0: only once. A timer that runs already starts again from its
 * delay. A closing timer stays as it is. */
void timer_start(uv_timer_t *timer, uv_timer_cb on_due, uint64_t delay_ms, uint64_t repeat_ms);

#endif
