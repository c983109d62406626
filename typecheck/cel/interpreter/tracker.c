#include "typecheck/cel/interpreter/tracker.h"

#include "typecheck/base/arena.h"

/* Fewer values, which are all that most runs keep, are searched from the top; more have an index. */
enum { FEW_TRACKED = 64, FIRST_TRACKED = 32, FIRST_IDS = 64 };

/* Makes room for the last one with this id. */
static void know(struct tracker *t, uint32_t id)
{
    size_t ids = t->ids == 0 ? FIRST_IDS : t->ids;
    while (ids <= id)
        ids *= 2;
    t->last = arena_grow(t->arena, t->last, t->ids, ids, sizeof *t->last);
    t->ids = ids;
}

/* Adds the values from this one on to the index. */
static void make_index(struct tracker *t, size_t at)
{
    for (; at < t->count; at++) {
        struct tracked *v = &t->stack[at];
        if (v->id >= t->ids)
            know(t, v->id);
        v->below = t->last[v->id];
        t->last[v->id] = (uint32_t)at + 1;
    }
}

bool tracker_push(struct tracker *t, uint32_t id, const struct value *v)
{
    ARENA_ROOM(t->arena, t->stack, t->count, t->cap, FIRST_TRACKED);
    t->stack[t->count++] = (struct tracked){v, id, 0};
    if (t->last != NULL)
        make_index(t, t->count - 1);
    else if (t->count > FEW_TRACKED)
        make_index(t, 0);
    return t->cost <= t->limit;
}

/* 1 + the index of the last one; 0: there is none. */
static size_t find(const struct tracker *t, uint32_t id)
{
    size_t place = t->count;
    if (t->last != NULL)
        return id < t->ids ? t->last[id] : 0;
    while (place > 0 && t->stack[place - 1].id != id)
        place--;
    return place;
}

/* Removes the values from this index on: each value that was put on the stack is removed once, at most. */
static void cut(struct tracker *t, size_t at)
{
    while (t->last != NULL && t->count > at) {
        const struct tracked *top = &t->stack[--t->count];
        t->last[top->id] = top->below;
    }
    t->count = at;
}

void tracker_drop(struct tracker *t, uint32_t id)
{
    const size_t place = find(t, id);
    if (place != 0)
        cut(t, place - 1);
}

const struct value *tracker_take(struct tracker *t, uint32_t id)
{
    const size_t place = find(t, id);
    if (place == 0)
        return NULL;
    cut(t, place - 1);
    return t->stack[place - 1].value;
}
