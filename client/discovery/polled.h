/*
 * polled: when to read a value again that the API server has no watch for, and
 * when to believe that it changed. Pure; time is an argument.
 *
 * Such values are the version, discovery, and the index of OpenAPI documents.
 * Each has a struct polled and a timer of its own, so that one whose answer
 * does not come stops no other. When the next reading is due follows from what
 * happened and from the time alone: asking changes nothing, and an event, however
 * many there are, only brings a reading forward.
 *
 *     polled_begin(&p, now_ms); ... the request ...
 *     polled_end(&p, is_read, now_ms);
 *     timer_start(&timer, read_again, polled_delay(&p, now_ms), 0);
 *
 * Servers of two versions may answer in turn, and a group may vanish from one
 * answer in a hundred: a change counts when two readings POLLED_CONFIRM_MS
 * apart agree, or when it was announced (a struct belief for each value that
 * may change by itself).
 */
#ifndef CLIENT_DISCOVERY_POLLED_H
#define CLIENT_DISCOVERY_POLLED_H

#include <stdbool.h>
#include <stdint.h>

enum {
    POLLED_PERIOD_MS = 60000, /* +- 10 % */
    POLLED_CONFIRM_MS = 5000,
    POLLED_EAGER_MS = 250, /* after an announcement, for POLLED_EAGER_FOR_MS */
    POLLED_EAGER_FOR_MS = 5000,
    POLLED_SLOW_FIRST_MS = 1000, /* then 1, 2, 4 ... 32 s; after that the announcement is forgotten */
    POLLED_SLOW_LAST_MS = 32000,
    POLLED_FAILURE_MS = 1000, /* after a failure; doubled up to the period */
};

struct polled {
    bool is_reading;
    bool is_announced; /* a change was announced, and not read yet */
    bool is_doubted;   /* the last reading must be confirmed */
    unsigned failures; /* in a row */
    uint64_t began_ms; /* the last reading */
    uint64_t ended_ms;
    uint64_t period_ms;
    uint64_t announced_ms; /* the time of the newest announcement */
    uint64_t doubted_ms;   /* since */
    uint64_t random;
};

/* The first reading is due at once. */
void polled_init(struct polled *p, uint64_t seed);

void polled_begin(struct polled *p, uint64_t now_ms);
void polled_end(struct polled *p, bool is_read, uint64_t now_ms);

/* Something happened that will change the value, or changed it already. */
void polled_announce(struct polled *p, uint64_t announced_ms);
/* The announced change was read. */
void polled_settle(struct polled *p);

/* The value that was read at since_ms must be confirmed. */
void polled_doubt(struct polled *p, uint64_t since_ms);
void polled_trust(struct polled *p);

/* Returns how long until the next reading is due; UINT64_MAX while one is under way. */
uint64_t polled_delay(const struct polled *p, uint64_t now_ms);

/* Zeroed: there is no candidate. */
struct belief {
    bool has_candidate;
    uint64_t since_ms;
};

/* Weighs a reading that differs from the believed value; is_same: it is equal to the candidate. Returns true
 * if the reading is to be believed; then there is no candidate any more. If it returns false, the reading is
 * the candidate now. */
bool belief_weigh(struct belief *b, bool is_same, bool is_announced, uint64_t now_ms);
void belief_forget(struct belief *b);

#endif
