/*
 * room: limits the memory of checks that are suspended between two turns of the
 * loop: there are ROOM_PLACES, and one of these checks may be large. All workers
 * (worker.h) of a process share one room, so the limit holds for all together.
 */
#ifndef CONTROLLER_RECONCILE_ROOM_H
#define CONTROLLER_RECONCILE_ROOM_H

#include <stdbool.h>
#include <stddef.h>

enum {
    ROOM_PLACES = 4,
    ROOM_LARGE_BYTES = 16 * 1024 * 1024, /* a check that holds more needs the place of large ones, too: */
};

/* All zero: empty. Outlives its workers. */
struct room {
    size_t taken;
    const void *large; /* the holder of the place of large checks; NULL: nobody */
};

static inline bool room_is_full(const struct room *room)
{
    return room->taken >= ROOM_PLACES;
}

/* Takes the place of large checks. Returns false if another one has it. */
static inline bool room_take_large(struct room *room, const void *who)
{
    if (room->large != NULL && room->large != who)
        return false;
    room->large = who;
    return true;
}

/* Leaves the place of large checks, if `who` has it. */
static inline void room_leave_large(struct room *room, const void *who)
{
    if (room->large == who)
        room->large = NULL;
}

#endif
