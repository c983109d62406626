/*
 * tracker: counts what a run costs, as cel-go's CostTracker does.
 *
 * The tracker sees each step after its evaluation, and keeps the values that
 * it saw on a stack, by the ids of their steps. A call finds its arguments
 * there; if one was not evaluated, the call costs nothing. What steps leave
 * behind on the stack decides now and then what is found, so the stack is
 * kept to the letter.
 */
#ifndef TYPECHECK_RUN_TRACKER_H
#define TYPECHECK_RUN_TRACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct value;

struct tracked {
    const struct value *value;
    uint32_t id;
};

struct tracker {
    struct arena *arena;
    struct tracked *stack;
    size_t count, cap;
    uint64_t cost, limit;
};

/* Of what a step makes that is not a call. */
enum { TRACKER_LIST_COST = 10, TRACKER_MAP_COST = 30, TRACKER_OBJECT_COST = 40, TRACKER_ACCESS_COST = 1 };

/* Puts the value of a step on the stack. False: the cost is over the limit. */
bool tracker_push(struct tracker *t, uint32_t id, const struct value *v);

/* Takes the last value of that id off the stack, and all above it; nothing if there is none. */
void tracker_drop(struct tracker *t, uint32_t id);

/* The last value of that id, taken off likewise; NULL: there is none. */
const struct value *tracker_take(struct tracker *t, uint32_t id);

#endif
