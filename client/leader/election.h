/*
 * election: makes this process the leader by a Lease in the cluster, so that only one of several processes
 * writes. leader.h decides each step; here are the clock, the timer and the requests for it.
 *
 * Everything is on one loop. From election_start on, it tries to get the lease. on_leading is called at most
 * once. After it, on_lost is called at most once; from then on nothing may be written.
 * The clock is CLOCK_BOOTTIME, which goes on while the process or the machine
 * sleeps. The caller passes election_left_ms as left_ms in struct api_options: then no
 * request begins after the lease has expired.
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

/* The caller ends it with election_close, which frees it. api must outlive it. */
struct election *election_new(struct api *api, const struct election_options *options);
void election_start(struct election *election);

/* Releases the lease, if it is ours. on_released comes later, from the loop, when that is done or has failed.
 * The last write must have ended. Afterwards neither on_leading nor on_lost comes. */
void election_release(struct election *election, void (*on_released)(void *user), void *user);

/* Does not release the lease. Afterwards no callback comes but on_closed; then the election is freed. */
void election_close(struct election *election, void (*on_closed)(void *user), void *user);

/* Returns how long from now requests may still be under way, as leader_left_ms. */
uint64_t election_left_ms(const struct election *election);
bool election_is_leader(const struct election *election);
bool election_is_healthy(const struct election *election);
/* Returns why this process can never lead before a person changes something: a right or the namespace is
 * missing. Returns NULL if there is no such reason. Good until control returns to the loop. */
const char *election_problem(const struct election *election);

#endif
