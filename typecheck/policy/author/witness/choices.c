#include "typecheck/policy/author/witness/choices.h"

/* Tries in order; those that follow are by lot. */
enum { TRIES_IN_ORDER = 48 };

void choices_init(struct choices *c)
{
    *c = (struct choices){.seed = 0x9E3779B97F4A7C15u};
}

static unsigned draw(struct choices *c, size_t ways)
{
    c->seed ^= c->seed << 13;
    c->seed ^= c->seed >> 7;
    c->seed ^= c->seed << 17;
    return (unsigned)(c->seed % ways);
}

unsigned choices_take(struct choices *c, size_t ways)
{
    if (ways < 2 || c->at == CHOICES_MAX)
        return 0;
    const size_t i = c->at++;
    if (i >= c->count)
        c->taken[i] = c->is_by_lot ? draw(c, ways) : 0;
    else if (c->taken[i] >= ways)
        c->taken[i] = 0;
    c->ways[i] = (unsigned)ways;
    return c->taken[i];
}

bool choices_next(struct choices *c)
{
    size_t last = c->at;
    c->tries++;
    c->at = 0;
    if (last == 0)
        return false; /* there was nothing to choose */
    c->is_by_lot = c->is_by_lot || c->tries >= TRIES_IN_ORDER;
    while (!c->is_by_lot && last > 0 && c->taken[last - 1] + 1 >= c->ways[last - 1])
        last--;
    if (c->is_by_lot) {
        c->count = 0;
        return true;
    }
    if (last == 0)
        return false;
    c->taken[last - 1]++;
    c->count = last;
    return true;
}
