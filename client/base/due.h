/*
 * due: when the next work is to be done, in ms of the loop's clock.
 */
#ifndef CLIENT_BASE_DUE_H
#define CLIENT_BASE_DUE_H

#include <stdint.h>

#define DUE_NEVER UINT64_MAX /* nothing is due, or something else than time will start it */

static inline uint64_t due_first(uint64_t a_ms, uint64_t b_ms)
{
    return a_ms < b_ms ? a_ms : b_ms;
}

#endif
