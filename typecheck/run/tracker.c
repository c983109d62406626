#include "typecheck/run/tracker.h"

#include "typecheck/base/arena.h"

enum { FIRST_TRACKED = 32, FIRST_IDS = 64 };

/* Makes room for the last one with this id. */
static void know(struct tracker *t, uint32_t id)
{
    size_t ids = t->ids == 0 ? FIRST_IDS : t->ids;
    while (ids <= id)
        ids *= 2;
    t->last = arena_grow(t->arena, t->last, t->ids, ids, sizeof *t->last);
    t->ids = ids;
}

bool tracker_push(struct tracker *t, uint32_t id, const struct value *v)
{
    ARENA_ROOM(t->arena, t->stack, t->count, t->cap, FIRST_TRACKED);
    if (id >= t->ids)
        know(t, id);
    t->stack[t->count++] = (struct tracked){v, id, t->last[id]};
    t->last[id] = (uint32_t)t->count;
    return t->cost <= t->limit;
}

/* Removes the values from this index on: each value that was put on the stack is removed once, at most. */
static void cut(struct tracker *t, size_t at)
{
    while (t->count > at) {
        const struct tracked *top = &t->stack[--t->count];
        t->last[top->id] = top->below;
    }
}

void tracker_drop(struct tracker *t, uint32_t id)
{
    if (id < t->ids && t->last[id] != 0)
        cut(t, t->last[id] - 1);
}

const struct value *tracker_take(struct tracker *t, uint32_t id)
{
    if (id >= t->ids || t->last[id] == 0)
        return NULL;
    const size_t at = t->last[id] - 1;
    cut(t, at);
    return t->stack[at].value;
}
