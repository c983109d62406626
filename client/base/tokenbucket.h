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
    uint64_t since_ms; /* from when the next token has been on its way; of no meaning while none is used */
};

/* Takes a token; false if there is none. */
bool tokenbucket_take(struct tokenbucket *bucket, unsigned burst, uint64_t period_ms, uint64_t now_ms);
/* Whether every token is there: such a bucket is as good as a new one. */
bool tokenbucket_is_full(const struct tokenbucket *bucket, uint64_t period_ms, uint64_t now_ms);

#endif
