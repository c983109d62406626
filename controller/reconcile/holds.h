/*
 * holds: keeps an object in memory that was replaced, while a suspended check still reads it. Pure.
 *
 * A check may go on over several turns of the loop. Between two of them the
 * schemas, the discovery and the CEL environment that it reads may be replaced. So
 * a check takes a hold first; an object that is retired (replaced, to be freed)
 * while there are holds is freed when the last hold that is older than its
 * retirement is released. If there are no holds, it is freed at once.
 *
 *     holds_take(&holds, &op->hold);
 *     ... holds_retire(&holds, old_schema, free_schema);
 *     holds_release(&holds, &op->hold);             now it is freed
 */
#ifndef CONTROLLER_RECONCILE_HOLDS_H
#define CONTROLLER_RECONCILE_HOLDS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

/* Embedded by the reader; all zero holds nothing. */
struct hold {
    TAILQ_ENTRY(hold) link;
    uint64_t since; /* how many objects had been retired before */
    bool is_taken;
};

struct holds_retired;

struct holds {
    TAILQ_HEAD(holds_taken, hold) taken;           /* the oldest first */
    TAILQ_HEAD(holds_line, holds_retired) retired; /* the oldest first */
    uint64_t count;                                /* of all that was ever retired */
};

void holds_init(struct holds *holds);
/* Frees all retired objects. Every hold must be released before. */
void holds_deinit(struct holds *holds);

/* Takes a hold. If it is taken already, it counts from now on. */
void holds_take(struct holds *holds, struct hold *hold);
/* Releases a hold. A hold that is not taken is fine. */
void holds_release(struct holds *holds, struct hold *hold);

/* Takes an object that can no longer be found. NULL is fine. */
void holds_retire(struct holds *holds, void *object, void (*free_object)(void *object));

#endif
