/*
 * election: leader's steps, with a clock, a timer and an API server.
 *
 * One loop. It runs for the lease once it is started. on_leading comes at most
 * once; on_lost at most once after it, and then nothing may be written any more.
 * The clock is CLOCK_BOOTTIME, which goes on while the process or the machine
 * sleeps; election_left_ms is for the api's left_ms, which lets no request begin
 * on a lease that ran out meanwhile.
 *
 *     struct election *e = election_new(api, &options);
 *     election_start(e);
 *     ... on_leading: write ... election_release(e, on_released, user);
 *     election_close(e, on_closed, user);
 */
#ifndef CLIENT_LEADER_ELECTION_H
#define CLIENT_LEADER_ELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "client/leader/leader.h"
#include "client/rest/api.h"

struct election;

/* Strings are copied. */
struct election_options {
    const char *namespace;
    const char *name;
    uint64_t lease_ms, renew_ms, retry_ms; /* checked by leader_check_options */
    void (*on_leading)(void *user);
    void (*on_lost)(void *user, const struct err *err);
    void *user;
};

/* api must outlive it. */
struct election *election_new(struct api *api, const struct election_options *options);
void election_start(struct election *election);

/* Gives the lease up, if it is ours; on_released comes when that is done or cannot be, later, from the
 * loop. The last write must have ended. No on_leading and no on_lost afterwards. */
void election_release(struct election *election, void (*on_released)(void *user), void *user);

/* Without a release. No callback but on_closed afterwards; the election is freed then. */
void election_close(struct election *election, void (*on_closed)(void *user), void *user);

/* For how long requests may be under way; as leader_left_ms, now. */
uint64_t election_left_ms(const struct election *election);
bool election_is_leader(const struct election *election);
bool election_is_healthy(const struct election *election);
/* Why this one will never lead unless people change something: the right is missing, or the namespace. NULL:
 * nothing of that kind. Good until control returns to the loop. */
const char *election_problem(const struct election *election);

#endif
