/*
 * tracker: counts the cost of a run, as cel-go's CostTracker does.
 *
 * The tracker sees each step after its evaluation, and keeps the values that
 * it saw on a stack, by the ids of their steps. A call finds its arguments
 * there; if one was not evaluated, the call costs nothing. Values that earlier
 * steps left on the stack sometimes decide which value is found. So the stack must
 * be exactly cel-go's.
 */
#ifndef TYPECHECK_CEL_INTERPRETER_TRACKER_H
#define TYPECHECK_CEL_INTERPRETER_TRACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct value;

struct tracked {
    const struct value *value;
    uint32_t id;
    uint32_t below; /* 1 + the index of the last one below with the same id; 0: there is none, or no index */
};

struct tracker {
    struct arena *arena;
    struct tracked *stack;
    size_t count, cap;
    uint32_t
        *last; /* by id: 1 + the index of the last one on the stack; 0: there is none. NULL: no index yet */
    size_t ids;
    uint64_t cost, limit;
};

/* The costs of steps that are not calls. */
enum { TRACKER_LIST_COST = 10, TRACKER_MAP_COST = 30, TRACKER_OBJECT_COST = 40, TRACKER_ACCESS_COST = 1 };

/* Puts the value of a step on the stack. Returns false if the cost is over the limit. */
bool tracker_push(struct tracker *t, uint32_t id, const struct value *v);

/* Removes the last value with that id and all values above it; does nothing if there is none. */
void tracker_drop(struct tracker *t, uint32_t id);

/* The same, and returns that value; NULL if there is none. */
const struct value *tracker_take(struct tracker *t, uint32_t id);

#endif
