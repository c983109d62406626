/*
 * backoff: how long to wait before the next try. Pure; time is an argument.
 *
 * Embedded by its owner. The n-th delay is base * 2^n, but at most cap, plus a
 * random part of it (up to jitter times the delay). If nothing was asked for
 * reset_ms, the delays start at base again, as in client-go.
 *
 *     struct backoff b;
 *     backoff_init(&b, &backoff_reflector, seed);
 *     delay_ms = backoff_next(&b, now_ms);
 */
#ifndef CLIENT_BASE_BACKOFF_H
#define CLIENT_BASE_BACKOFF_H

#include <stdint.h>

struct backoff_params {
    uint64_t base_ms;
    uint64_t cap_ms;   /* of the part before jitter */
    double jitter;     /* 1.0: the delay lies in [d, 2d) */
    uint64_t reset_ms; /* 0: only backoff_reset() starts again */
};

struct backoff {
    const struct backoff_params *params;
    uint64_t last_ms;
    unsigned failures;
    uint64_t random;
};

/* 800 ms, doubled up to 30 s, jitter 1.0, reset after 2 minutes. */
extern const struct backoff_params backoff_reflector;

/* params must outlive b. seed 0 is fine. */
void backoff_init(struct backoff *b, const struct backoff_params *params, uint64_t seed);

/* The delay before the next try. */
uint64_t backoff_next(struct backoff *b, uint64_t now_ms);

void backoff_reset(struct backoff *b);

/* A number in [0, 1) from a seeded state (also for watch timeouts and poll jitter). */
double backoff_random(uint64_t *state);

/* A seed from the kernel. */
uint64_t backoff_seed(void);

#endif
