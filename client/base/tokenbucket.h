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
    uint64_t since_ms; /* the next token is counted from here; not used while no token is taken */
};

/* Takes a token; false if there is none. */
bool tokenbucket_take(struct tokenbucket *bucket, unsigned burst, uint64_t period_ms, uint64_t now_ms);
/* Whether no token is missing. Such a bucket is like a new one. */
bool tokenbucket_is_full(const struct tokenbucket *bucket, uint64_t period_ms, uint64_t now_ms);

#endif
