/*
 * loopwatch: how long the turns of the loop take.
 *
 * A turn lasts from the return of one poll to the beginning of the next. During a
 * turn nothing else happens: even a probe is not answered, and reports that by its
 * own timeout. loopwatch makes a loop unhealthy that only answers between turns
 * that are too long. After LOOPWATCH_WELL_MS without such a turn the loop is
 * healthy again. A single pause (a frozen virtual machine) does not count.
 *
 * A loop may also spin without polling: then a turn never ends, although something
 * in it answers probes. The turn that is under way counts as soon as it has been
 * asked about for LOOPWATCH_WELL_MS since it became too long.
 *
 *     loopwatch_start(&w, loop, on_turn, user);
 *     if (loopwatch_is_stuck(&w)) ...
 */
#ifndef CONTROLLER_OBSERVE_LOOPWATCH_H
#define CONTROLLER_OBSERVE_LOOPWATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

enum {
    LOOPWATCH_LONG_MS = 10 * 1000, /* a turn that takes longer is too long: a lease is lost by then */
    LOOPWATCH_WELL_MS = 1000,      /* after so long without one, the loop is healthy */
};

struct loopwatch {
    uv_prepare_t prepare;
    uv_check_t check;
    uint64_t began_ns;      /* of this turn */
    uint64_t long_ended_ns; /* of the last turn that was too long; 0: none */
    bool was_stuck_before;  /* another one had ended shortly before that one began */
    uint64_t asked_ns;      /* when the turn under way was first found to be too long; 0: it was not */
    double longest_seconds; /* the longest of all turns that ended */
    uint64_t long_ms;       /* how long the last long turn took */
    void (*on_turn)(void *user, double seconds);
    void *user;
    int to_close;
    void (*on_closed)(void *user);
};

/* Does not keep the loop alive. on_turn may be NULL. */
void loopwatch_start(struct loopwatch *watch, uv_loop_t *loop, void (*on_turn)(void *user, double seconds),
                     void *user);
void loopwatch_close(struct loopwatch *watch, void (*on_closed)(void *user));

/* Returns true if turn after turn is too long, and the last one, which took *turn_ms, ended a short while
 * ago; or the turn under way does not end, and takes *turn_ms already. */
bool loopwatch_is_stuck(struct loopwatch *watch, uint64_t *turn_ms);

/* The length of the longest turn, the one under way included. */
double loopwatch_longest_seconds(const struct loopwatch *watch);

/* The pure part: notes that a turn begins, and a turn. */
void loopwatch_begin(struct loopwatch *watch, uint64_t now_ns);
void loopwatch_note(struct loopwatch *watch, uint64_t began_ns, uint64_t ended_ns);
bool loopwatch_is_stuck_at(struct loopwatch *watch, uint64_t now_ns, uint64_t *turn_ms);

#endif
