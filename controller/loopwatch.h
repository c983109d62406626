/*
 * loopwatch: how long the turns of the loop take.
 *
 * A turn is from the return of one poll to the beginning of the next. While
 * one lasts nothing else happens, a probe is not answered either, and its own
 * timeout tells; what loopwatch adds is that a loop which answers between two
 * turns that are too long is told from a healthy one. A pause that came once
 * (a frozen virtual machine) is forgiven after LOOPWATCH_RECENT_MS.
 *
 *     loopwatch_start(&w, loop, on_turn, user);
 *     if (loopwatch_is_stuck(&w)) ...
 */
#ifndef CONTROLLER_LOOPWATCH_H
#define CONTROLLER_LOOPWATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

enum {
    LOOPWATCH_LONG_MS = 10 * 1000, /* a turn that takes longer is too long: a lease is lost by then */
    LOOPWATCH_RECENT_MS =
        15 * 1000, /* how long that counts; kubelet asks every 10 s, gives up at the third */
};

struct loopwatch {
    uv_prepare_t prepare;
    uv_check_t check;
    uint64_t began_ns;      /* of this turn */
    uint64_t long_ended_ns; /* of the last turn that was too long; 0: none */
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

/* A turn that was too long ended a short while ago; *turn_ms is what it took. */
bool loopwatch_is_stuck(const struct loopwatch *watch, uint64_t *turn_ms);

/* The pure part: a turn that began and ended then. */
void loopwatch_note(struct loopwatch *watch, uint64_t began_ns, uint64_t ended_ns);
bool loopwatch_is_stuck_at(const struct loopwatch *watch, uint64_t now_ns, uint64_t *turn_ms);

#endif
