#include "client/base/tokenbucket.h"

/* Adds a token for each period that has passed. */
static void refill(struct tokenbucket *b, uint64_t period_ms, uint64_t now_ms)
{
    uint64_t tokens = (now_ms - b->since_ms) / period_ms;
    if (tokens >= b->used) {
        b->used = 0;
        return;
    }
    b->used -= (unsigned)tokens;
    b->since_ms += tokens * period_ms;
}

bool tokenbucket_take(struct tokenbucket *bucket, unsigned burst, uint64_t period_ms, uint64_t now_ms)
{
    refill(bucket, period_ms, now_ms);
    if (bucket->used >= burst)
        return false;
    if (bucket->used == 0)
        bucket->since_ms = now_ms;
    bucket->used++;
    return true;
}

bool tokenbucket_is_full(const struct tokenbucket *bucket, uint64_t period_ms, uint64_t now_ms)
{
    return (now_ms - bucket->since_ms) / period_ms >= bucket->used;
}
