/*
 * virtualclock: a clock that the test turns, for what libuv and libcurl do on real sockets.
 *
 * It replaces two functions of the C library in the test's program: clock_gettime, and libuv's
 * wait for events. Where no event comes for a few real milliseconds, as on the loopback none will,
 * the clock jumps to the time at which the wait would have ended. So nothing waits, and a test's
 * times are the program's own constants. Timers of the kernel run on as ever.
 */
#ifndef TESTS_UNIT_CLIENT_VIRTUALCLOCK_H
#define TESTS_UNIT_CLIENT_VIRTUALCLOCK_H

#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { VIRTUALCLOCK_GRACE_MS = 5 }; /* for what is on its way through the loopback */

static uint64_t virtualclock_skipped_ms;

/* Since the machine started, plus what was skipped. */
static inline uint64_t virtualclock_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (syscall(SYS_clock_gettime, clock, now) != 0)
        return -1;
    now->tv_sec += (time_t)(virtualclock_skipped_ms / 1000);
    now->tv_nsec += (long)(virtualclock_skipped_ms % 1000) * 1000000;
    if (now->tv_nsec >= 1000000000) {
        now->tv_nsec -= 1000000000;
        now->tv_sec++;
    }
    return 0;
}

int epoll_pwait(int fd, struct epoll_event *events, int max, int timeout_ms, const sigset_t *mask)
{
    const int grace_ms = timeout_ms > VIRTUALCLOCK_GRACE_MS ? VIRTUALCLOCK_GRACE_MS : timeout_ms;
    const int n = (int)syscall(SYS_epoll_pwait, fd, events, max, grace_ms, mask, _NSIG / 8);
    if (n == 0 && timeout_ms > grace_ms)
        virtualclock_skipped_ms += (uint64_t)(timeout_ms - grace_ms);
    return n;
}

int epoll_wait(int fd, struct epoll_event *events, int max, int timeout_ms)
{
    return epoll_pwait(fd, events, max, timeout_ms, NULL);
}

#endif
