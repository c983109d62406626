#include "typecheck/run/tracker.h"

#include "typecheck/base/arena.h"

enum { FIRST_TRACKED = 32 };

bool tracker_push(struct tracker *t, uint32_t id, const struct value *v)
{
    ARENA_ROOM(t->arena, t->stack, t->count, t->cap, FIRST_TRACKED);
    t->stack[t->count++] = (struct tracked){v, id};
    return t->cost <= t->limit;
}

/* 1 + its index; 0: there is none. */
static size_t find(const struct tracker *t, uint32_t id)
{
    size_t place = t->count;
    while (place > 0 && t->stack[place - 1].id != id)
        place--;
    arena_pay(t->arena, (t->count - place) / ARENA_LOOKS_PER_STEP);
    return place;
}

void tracker_drop(struct tracker *t, uint32_t id)
{
    size_t place = find(t, id);
    if (place != 0)
        t->count = place - 1;
}

const struct value *tracker_take(struct tracker *t, uint32_t id)
{
    size_t place = find(t, id);
    if (place == 0)
        return NULL;
    t->count = place - 1;
    return t->stack[place - 1].value;
}
