#include "client/discovery/polled.h"

#include "client/base/backoff.h"

void polled_init(struct polled *p, uint64_t seed)
{
    *p = (struct polled){.random = seed};
}

void polled_begin(struct polled *p, uint64_t now_ms)
{
    p->is_reading = true;
    p->began_ms = now_ms;
}

void polled_end(struct polled *p, bool is_read, uint64_t now_ms)
{
    const double spread = 0.2 * backoff_random(&p->random) - 0.1;
    p->is_reading = false;
    p->ended_ms = now_ms;
    p->failures = is_read ? 0 : p->failures + 1;
    p->period_ms = (uint64_t)((double)POLLED_PERIOD_MS * (1.0 + spread));
}

void polled_announce(struct polled *p, uint64_t announced_ms)
{
    p->is_announced = true;
    p->announced_ms = announced_ms;
}

void polled_settle(struct polled *p)
{
    p->is_announced = false;
}

void polled_doubt(struct polled *p, uint64_t since_ms)
{
    p->is_doubted = true;
    p->doubted_ms = since_ms;
}

void polled_trust(struct polled *p)
{
    p->is_doubted = false;
}

static uint64_t min_ms(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Between the last reading and the next one, for what was announced. */
static uint64_t eager_interval(const struct polled *p)
{
    if (!p->is_announced)
        return UINT64_MAX;
    const uint64_t age_ms = p->began_ms > p->announced_ms ? p->began_ms - p->announced_ms : 0;
    if (age_ms < POLLED_EAGER_FOR_MS)
        return POLLED_EAGER_MS;
    /* 1, 2, 4 ... s: each as long as all slow ones before it, and a second. */
    uint64_t step_ms = POLLED_SLOW_FIRST_MS;
    while (age_ms - POLLED_EAGER_FOR_MS >= 2 * step_ms - POLLED_SLOW_FIRST_MS)
        step_ms *= 2;
    return step_ms <= POLLED_SLOW_LAST_MS ? step_ms : UINT64_MAX;
}

/* A server that does not answer is not asked four times a second, whatever was announced. */
static uint64_t failure_interval(const struct polled *p, uint64_t eager_ms)
{
    uint64_t again_ms = POLLED_FAILURE_MS;
    for (unsigned i = 1; i < p->failures && again_ms < POLLED_PERIOD_MS; i++)
        again_ms *= 2;
    again_ms = min_ms(again_ms, POLLED_PERIOD_MS);
    /* News since: the server is there. */
    const bool has_news = p->is_announced && p->announced_ms >= p->began_ms && eager_ms != UINT64_MAX;
    return has_news ? POLLED_FAILURE_MS : again_ms;
}

uint64_t polled_delay(const struct polled *p, uint64_t now_ms)
{
    if (p->is_reading)
        return UINT64_MAX;
    if (p->period_ms == 0)
        return 0;
    const uint64_t eager_ms = eager_interval(p);
    uint64_t due_ms =
        p->ended_ms + (p->failures ? failure_interval(p, eager_ms) : min_ms(p->period_ms, eager_ms));
    if (p->is_doubted && !p->failures)
        due_ms = min_ms(due_ms, p->doubted_ms + POLLED_CONFIRM_MS);
    return due_ms > now_ms ? due_ms - now_ms : 0;
}

bool belief_weigh(struct belief *b, bool is_same, bool is_announced, uint64_t now_ms)
{
    const bool is_confirmed = b->has_candidate && is_same && now_ms - b->since_ms >= POLLED_CONFIRM_MS;
    if (is_announced || is_confirmed) {
        belief_forget(b);
        return true;
    }
    if (!b->has_candidate || !is_same)
        *b = (struct belief){.has_candidate = true, .since_ms = now_ms};
    return false;
}

void belief_forget(struct belief *b)
{
    *b = (struct belief){0};
}
