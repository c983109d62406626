/*
 * Tests that the time of a call grows with its input and not with its square. cmocka.h is included before.
 */
#ifndef TESTS_UNIT_LINEAR_H
#define TESTS_UNIT_LINEAR_H

/* `seconds(count, input)` is the CPU time that an input of `count` things takes. Sixteen times as much takes
 * 16 times as long where time is linear, 256 times where it is quadratic. Between the two there is room for
 * what memory costs: a large input leaves the caches, and its first touch of each page enters the kernel.
 * A busy neighbour slows single measurements down, so each input counts with its fastest one. */
static void assert_linear(double (*seconds)(int count, const void *input), const void *input, int count)
{
    enum { TIMES_AS_MUCH = 16, TIMES_AS_LONG = 100, TRIES = 5 };
    const double shortest = 0.0005; /* what the clock and a cold start may hide */
    double few = 1e9, many = 1e9;
    for (int n = 0; n < TRIES; n++) {
        const double a = seconds(count, input), b = seconds(TIMES_AS_MUCH * count, input);
        few = a < few ? a : few;
        many = b < many ? b : many;
        if (many <= TIMES_AS_LONG * (few + shortest))
            return;
    }
    fail_msg("%d take %f s, and %d times as many %f s", count, few, TIMES_AS_MUCH, many);
}

#endif
