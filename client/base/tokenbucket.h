/*
 * tokenbucket: limits how often something is done: a burst at once, then once a
 * period. Pure: time is an argument.
 *
 * Embedded by its owner; all zero is a full bucket.
 *
 *     if (tokenbucket_take(&b, 25, 5 * 60 * 1000, now_ms)) ...     25 at once, then one in five minutes
 */
#ifndef CLIENT_BASE_TOKENBUCKET_H
#define CLIENT_BASE_TOKENBUCKET_H

#include <stdbool.h>
#include <stdint.h>

struct tokenbucket {
    unsigned used;
    uint64_t since_ms; /* when the wait for the next token began; no meaning while used is 0 */
};

/* Takes a token; false if there is none. burst: how many tokens a full bucket holds; period_ms: how long one
 * token takes to come back. Both are the same in each call for one bucket. */
bool tokenbucket_take(struct tokenbucket *bucket, unsigned burst, uint64_t period_ms, uint64_t now_ms);
/* Returns true if no token is missing. A full bucket is like a new one, so its owner may forget it. */
bool tokenbucket_is_full(const struct tokenbucket *bucket, uint64_t period_ms, uint64_t now_ms);

#endif
