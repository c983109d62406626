#include "client/base/backoff.h"

#include <stddef.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

const struct backoff_params backoff_reflector = {
    .base_ms = 800, .cap_ms = 30000, .jitter = 1.0, .reset_ms = 120000};

double backoff_random(uint64_t *state)
{
    /* splitmix64: any seed will do, and nothing secret depends on it. */
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1.0p-53;
}

uint64_t backoff_seed(void)
{
    uint64_t seed = 0;
    if (getentropy(&seed, sizeof seed) != 0)
        seed = (uint64_t)time(NULL);
    return seed;
}

void backoff_init(struct backoff *b, const struct backoff_params *params, uint64_t seed)
{
    *b = (struct backoff){.params = params, .random = seed};
}

uint64_t backoff_next(struct backoff *b, uint64_t now_ms)
{
    const struct backoff_params *p = b->params;
    if (p->reset_ms && b->failures && now_ms - b->last_ms >= p->reset_ms)
        b->failures = 0;
    b->last_ms = now_ms;
    uint64_t delay = p->base_ms;
    for (unsigned i = 0; i < b->failures && delay < p->cap_ms; i++)
        delay *= 2;
    if (delay > p->cap_ms)
        delay = p->cap_ms;
    else
        b->failures++;
    return delay + (uint64_t)((double)delay * p->jitter * backoff_random(&b->random));
}

void backoff_reset(struct backoff *b)
{
    b->failures = 0;
}
