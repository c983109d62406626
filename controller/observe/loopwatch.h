/*
 * loopwatch: how long the turns of the loop take.
 *
 * A turn is from the return of one poll to the beginning of the next. While
 * one lasts nothing else happens: a probe is not answered either, and its own
 * timeout reports that. What loopwatch adds is that a loop which answers
 * between two turns that are too long does not look healthy. One that has
 * turned as it should for LOOPWATCH_WELL_MS is healthy again, and a pause that
 * came once (a frozen virtual machine) is forgiven at once.
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
    LOOPWATCH_WELL_MS = 1000,      /* without one for that long the loop is well */
};

struct loopwatch {
    uv_prepare_t prepare;
    uv_check_t check;
    uint64_t began_ns;      /* of this turn */
    uint64_t long_ended_ns; /* of the last turn that was too long; 0: none */
    bool was_stuck_before;  /* another one had ended shortly before that one began */
    double longest_seconds; /* of all turns */
    uint64_t long_ms;       /* what that one took */
    void (*on_turn)(void *user, double seconds);
    void *user;
    int to_close;
    void (*on_closed)(void *user);
};

/* Keeps no loop alive. on_turn may be NULL. */
void loopwatch_start(struct loopwatch *watch, uv_loop_t *loop, void (*on_turn)(void *user, double seconds),
                     void *user);
void loopwatch_close(struct loopwatch *watch, void (*on_closed)(void *user));

/* Turn after turn is too long, and the last one, which took *turn_ms, ended a short while ago. */
bool loopwatch_is_stuck(const struct loopwatch *watch, uint64_t *turn_ms);

/* The pure part: a turn that began and ended then. */
void loopwatch_note(struct loopwatch *watch, uint64_t began_ns, uint64_t ended_ns);
bool loopwatch_is_stuck_at(const struct loopwatch *watch, uint64_t now_ns, uint64_t *turn_ms);

#endif
