/*
 * leader: decides which of several processes may write, by a Lease that its holder
 * keeps renewing. Pure: no clock, no loop; time is an argument.
 *
 * leader_step takes an event and returns an action; at most one request is under
 * way. A lease that we hold counts from the moment when its last renewal was sent.
 * Another's lease expires when its record has not changed for its duration, by our
 * clock; the times that are written in it are never read.
 *
 *     struct leader_action a = leader_step(&l, &(struct leader_event){.kind = LEADER_TICK}, now_ms);
 *     if (a.is_dropped) cancel();
 *     if (a.request != LEADER_NOTHING) send(a.request, a.timeout_ms);
 *     wake_at(a.at_ms);            LEADER_TICK again then, or the answer before
 */
#ifndef CLIENT_LEADER_LEADER_H
#define CLIENT_LEADER_LEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "client/base/err.h"

enum {
    LEADER_LEASE_MS = 15 * 1000, /* defaults */
    LEADER_RENEW_MS = 10 * 1000,
    LEADER_RETRY_MS = 2 * 1000,
    LEADER_REST_MS = 100,        /* between an answer and the next try, at least */
    LEADER_RELEASE_MS = 5000,    /* how long a release may take */
    LEADER_HOPS = 4,             /* requests in a row, of one try */
    LEADER_JITTER_PERCENT = 120, /* of the retry period; a standby waits up to so much longer */
};

struct leader_options {
    const char *identity; /* unique; borrowed */
    uint64_t lease_ms;    /* how long others wait */
    uint64_t renew_ms;    /* how long we hold it without a renewal */
    uint64_t retry_ms;
};

/*
 * STANDBY   -- our write was answered in time --> LEADING
 * LEADING   -- not renewed within renew_ms, or another holds it --> LOST
 * either    -- LEADER_RELEASE --> RELEASING, or DONE if we do not hold it
 * RELEASING -- released, or the release failed --> DONE
 */
enum leader_state { LEADER_STANDBY, LEADER_LEADING, LEADER_RELEASING, LEADER_DONE, LEADER_LOST };

enum leader_request {
    LEADER_NOTHING,
    LEADER_READ,
    LEADER_CREATE,
    LEADER_HOLD,  /* write our name, over the version that was read or written last */
    LEADER_CLEAR, /* write an empty holder */
};

/* The Lease as the server has it; borrowed. */
struct leader_record {
    const char *holder; /* "": nobody */
    uint64_t duration_ms;
    const char *text; /* all of it: whether it changed */
};

struct leader_event {
    enum leader_event_kind {
        LEADER_TICK,
        LEADER_ANSWERED, /* the request succeeded: record is what the server has now */
        LEADER_FAILED,   /* it did not: code */
        LEADER_RELEASE,  /* the last write has ended */
    } kind;
    struct leader_record record;
    enum err_code code;
};

struct leader_action {
    enum leader_request request;
    bool is_dropped;     /* the request under way is to be canceled, first */
    bool is_reset;       /* so are the connections: a new one answers, the old one did not */
    bool new_connection; /* the last one may be dead */
    uint64_t timeout_ms; /* of the request; less than what is left */
    uint64_t at_ms;      /* when to tick; DUE_NEVER: not at all */
};

struct leader {
    struct leader_options options;
    enum leader_state state;
    uint64_t random;
    enum leader_request request; /* under way */
    unsigned hops;
    uint64_t sent_ms, deadline_ms; /* of it */
    uint64_t next_ms;              /* of the next try */
    bool is_silent;                /* the last request was not answered in time */
    bool is_known;                 /* HOLD replaces the newest version that we know */
    bool is_holding;               /* LEADING, or RELEASING and DONE after it */
    uint64_t held_ms;              /* since: when the last renewal was sent */
    uint64_t release_until_ms;
    char *text, *holder; /* of the record seen last; NULL: none */
    uint64_t seen_ms;    /* when it was seen to change */
    uint64_t duration_ms;
};

/* Errors: INVALID, by client-go's rules; the message names the flags. */
int leader_check_options(const struct leader_options *options, struct err *err) MUST_CHECK;

void leader_init(struct leader *leader, const struct leader_options *options, uint64_t seed);
void leader_deinit(struct leader *leader);

struct leader_action leader_step(struct leader *leader, const struct leader_event *event, uint64_t now_ms);

/* Returns how long requests may be under way: 0 once the lease is lost, UINT64_MAX if it was never held. */
uint64_t leader_left_ms(const struct leader *leader, uint64_t now_ms);

bool leader_is_leader(const struct leader *leader, uint64_t now_ms);
/* Returns true if the lease is not lost; a standby is healthy, too. */
bool leader_is_healthy(const struct leader *leader, uint64_t now_ms);
/* The holder that was read last; "" if there is none, or it is unknown. */
const char *leader_holder(const struct leader *leader);

#endif
