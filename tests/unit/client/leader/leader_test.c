#include "client/leader/leader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/backoff.h"

static const struct leader_options options = {
    .identity = "me", .lease_ms = LEADER_LEASE_MS, .renew_ms = LEADER_RENEW_MS, .retry_ms = LEADER_RETRY_MS};

/* One step: what happens when, and what that leads to. */
struct row {
    uint64_t now_ms;
    struct leader_event event;
    enum leader_request request;
    enum leader_state state;
    uint64_t at_ms;      /* SOON: between one and 2.2 retry periods from now */
    uint64_t timeout_ms; /* of a request */
    unsigned flags;
};

enum { SOON = 1, MAX_ROWS = 20, DROPPED = 1, NEW = 2, RESET = 4 };
#define NEVER UINT64_MAX

#define TICK                                                                                                 \
    {                                                                                                        \
        .kind = LEADER_TICK                                                                                  \
    }
#define RELEASE                                                                                              \
    {                                                                                                        \
        .kind = LEADER_RELEASE                                                                               \
    }
#define FAILS(code_)                                                                                         \
    {                                                                                                        \
        .kind = LEADER_FAILED, .code = (code_)                                                               \
    }
#define SAYS(who, what)                                                                                      \
    {                                                                                                        \
        .kind = LEADER_ANSWERED, .record = {(who), 15000, (what) }                                           \
    }
#define SAYS_FOR(who, what, ms_)                                                                             \
    {                                                                                                        \
        .kind = LEADER_ANSWERED, .record = {(who), (ms_), (what) }                                           \
    }

#define START                                                                                                \
    {                                                                                                        \
        1000, TICK, LEADER_READ, LEADER_STANDBY, 6000, 5000, 0                                               \
    }
#define START_LEADING                                                                                        \
    START, {1000, SAYS("", "0"), LEADER_HOLD, LEADER_STANDBY, 6000, 5000, 0},                                \
    {                                                                                                        \
        1000, SAYS("me", "1"), LEADER_NOTHING, LEADER_LEADING, 3000, 0, 0                                    \
    }

static const struct activation {
    const char *name;
    struct row rows[MAX_ROWS];
} scenarios[] = {
    {"the first creates it and renews it",
     {START,
      {1010, FAILS(ERR_NOT_FOUND), LEADER_CREATE, LEADER_STANDBY, 6010, 5000, 0},
      {1030, SAYS("me", "1"), LEADER_NOTHING, LEADER_LEADING, 3010, 0, 0},
      {2000, TICK, LEADER_NOTHING, LEADER_LEADING, 3010, 0, 0},
      {3010, TICK, LEADER_HOLD, LEADER_LEADING, 8010, 5000, 0},
      {3020, SAYS("me", "2"), LEADER_NOTHING, LEADER_LEADING, 5010, 0, 0}}},
    {"a released one is taken at once",
     {START,
      {1010, SAYS("", "1"), LEADER_HOLD, LEADER_STANDBY, 6010, 5000, 0},
      {1020, SAYS("me", "2"), LEADER_NOTHING, LEADER_LEADING, 3010, 0, 0}}},
    {"our own, of a write whose answer was lost, is taken at once",
     {START,
      {1010, SAYS("", "1"), LEADER_HOLD, LEADER_STANDBY, 6010, 5000, 0},
      {1020, FAILS(ERR_NETWORK), LEADER_NOTHING, LEADER_STANDBY, SOON, 0, 0},
      {5420, TICK, LEADER_READ, LEADER_STANDBY, 10420, 5000, 0},
      {5430, SAYS("me", "2"), LEADER_HOLD, LEADER_STANDBY, 10430, 5000, 0},
      {5440, SAYS("me", "3"), LEADER_NOTHING, LEADER_LEADING, 7430, 0, 0}}},
    {"another's is taken when it has not changed for its duration, and looked at right then",
     {START,
      {1010, SAYS("other", "1"), LEADER_NOTHING, LEADER_STANDBY, SOON, 0, 0},
      {5500, TICK, LEADER_READ, LEADER_STANDBY, 10500, 5000, 0},
      {5510, SAYS("other", "1"), LEADER_NOTHING, LEADER_STANDBY, SOON, 0, 0},
      {15000, TICK, LEADER_READ, LEADER_STANDBY, 20000, 5000, 0},
      {15001, SAYS("other", "1"), LEADER_NOTHING, LEADER_STANDBY, 16010, 0, 0},
      {16010, TICK, LEADER_READ, LEADER_STANDBY, 21010, 5000, 0},
      {16020, SAYS("other", "1"), LEADER_HOLD, LEADER_STANDBY, 21020, 5000, 0},
      {16030, SAYS("me", "2"), LEADER_NOTHING, LEADER_LEADING, 18020, 0, 0}}},
    {"a change of any of it starts that anew",
     {START,
      {1010, SAYS("other", "1"), LEADER_NOTHING, LEADER_STANDBY, SOON, 0, 0},
      {15000, TICK, LEADER_READ, LEADER_STANDBY, 20000, 5000, 0},
      {15010, SAYS("other", "2"), LEADER_NOTHING, LEADER_STANDBY, SOON, 0, 0},
      {29000, TICK, LEADER_READ, LEADER_STANDBY, 34000, 5000, 0},
      {30009, SAYS("other", "2"), LEADER_NOTHING, LEADER_STANDBY, 30010, 0, 0},
      {30010, TICK, LEADER_READ, LEADER_STANDBY, 35010, 5000, 0},
      {30010, SAYS("other", "2"), LEADER_HOLD, LEADER_STANDBY, 35010, 5000, 0}}},
    {"times in the record mean nothing",
     {START,
      {1010, SAYS("other", "renewTime 1970"), LEADER_NOTHING, LEADER_STANDBY, SOON, 0, 0},
      {9000, TICK, LEADER_READ, LEADER_STANDBY, 14000, 5000, 0},
      {9010, SAYS("other", "renewTime 2999"), LEADER_NOTHING, LEADER_STANDBY, SOON, 0, 0},
      {24010, TICK, LEADER_READ, LEADER_STANDBY, 29010, 5000, 0},
      {24010, SAYS("other", "renewTime 2999"), LEADER_HOLD, LEADER_STANDBY, 29010, 5000, 0}}},
    {"a holder with a longer duration is believed",
     {START,
      {1000, SAYS_FOR("other", "1", 60000), LEADER_NOTHING, LEADER_STANDBY, SOON, 0, 0},
      {60999, TICK, LEADER_READ, LEADER_STANDBY, 65999, 5000, 0},
      {60999, SAYS_FOR("other", "1", 60000), LEADER_NOTHING, LEADER_STANDBY, 61000, 0, 0},
      {61000, TICK, LEADER_READ, LEADER_STANDBY, 66000, 5000, 0},
      {61000, SAYS_FOR("other", "1", 60000), LEADER_HOLD, LEADER_STANDBY, 66000, 5000, 0}}},
    {"one with a shorter is given ours",
     {START,
      {1000, SAYS_FOR("other", "1", 1000), LEADER_NOTHING, LEADER_STANDBY, SOON, 0, 0},
      {15999, TICK, LEADER_READ, LEADER_STANDBY, 20999, 5000, 0},
      {15999, SAYS_FOR("other", "1", 1000), LEADER_NOTHING, LEADER_STANDBY, 16000, 0, 0}}},
    {"somebody else was faster",
     {START,
      {1010, SAYS("", "1"), LEADER_HOLD, LEADER_STANDBY, 6010, 5000, 0},
      {1020, FAILS(ERR_CONFLICT), LEADER_READ, LEADER_STANDBY, 6020, 5000, 0},
      {1030, SAYS("other", "2"), LEADER_NOTHING, LEADER_STANDBY, SOON, 0, 0}}},
    {"a standby that cannot read goes on trying",
     {START,
      {1010, FAILS(ERR_FORBIDDEN), LEADER_NOTHING, LEADER_STANDBY, SOON, 0, 0},
      {5500, TICK, LEADER_READ, LEADER_STANDBY, 10500, 5000, 0},
      {10500, TICK, LEADER_NOTHING, LEADER_STANDBY, SOON, 0, DROPPED},
      {15000, TICK, LEADER_READ, LEADER_STANDBY, 20000, 5000, NEW}}},
    {"create and read that contradict each other rest between tries",
     {START,
      {1001, FAILS(ERR_NOT_FOUND), LEADER_CREATE, LEADER_STANDBY, 6001, 5000, 0},
      {1002, FAILS(ERR_CONFLICT), LEADER_READ, LEADER_STANDBY, 6002, 5000, 0},
      {1003, FAILS(ERR_NOT_FOUND), LEADER_CREATE, LEADER_STANDBY, 6003, 5000, 0},
      {1004, FAILS(ERR_CONFLICT), LEADER_NOTHING, LEADER_STANDBY, SOON, 0, 0}}},
    {"an answer that we slept over does not make a leader",
     {START,
      {1010, SAYS("", "1"), LEADER_HOLD, LEADER_STANDBY, 6010, 5000, 0},
      {11010, SAYS("me", "2"), LEADER_NOTHING, LEADER_STANDBY, 11010, 0, 0},
      {11010, TICK, LEADER_READ, LEADER_STANDBY, 16010, 5000, 0},
      {11020, SAYS("other", "3"), LEADER_NOTHING, LEADER_STANDBY, SOON, 0, 0}}},
    {"a write that is due to have ended is read first",
     {START,
      {1010, SAYS("", "1"), LEADER_HOLD, LEADER_STANDBY, 6010, 5000, 0},
      {31010, TICK, LEADER_NOTHING, LEADER_STANDBY, SOON, 0, DROPPED},
      {36000, TICK, LEADER_READ, LEADER_STANDBY, 41000, 5000, NEW},
      {36010, SAYS("other", "3"), LEADER_NOTHING, LEADER_STANDBY, SOON, 0, RESET}}},
    {"a standby's clock that goes back takes nothing from anybody",
     {START,
      {1010, SAYS("other", "1"), LEADER_NOTHING, LEADER_STANDBY, SOON, 0, 0},
      {5500, TICK, LEADER_READ, LEADER_STANDBY, 10500, 5000, 0},
      {500, SAYS("other", "1"), LEADER_NOTHING, LEADER_STANDBY, SOON, 0, 0},
      {15499, TICK, LEADER_READ, LEADER_STANDBY, 20499, 5000, 0},
      {15499, SAYS("other", "1"), LEADER_NOTHING, LEADER_STANDBY, 15500, 0, 0}}},
    {"a lease touched by others is still ours",
     {START_LEADING,
      {3000, TICK, LEADER_HOLD, LEADER_LEADING, 8000, 5000, 0},
      {3010, FAILS(ERR_CONFLICT), LEADER_READ, LEADER_LEADING, 8010, 5000, 0},
      {3020, SAYS("me", "2"), LEADER_HOLD, LEADER_LEADING, 8020, 5000, 0},
      {3030, SAYS("me", "3"), LEADER_NOTHING, LEADER_LEADING, 5020, 0, 0}}},
    {"a lease that another took is lost",
     {START_LEADING,
      {3000, TICK, LEADER_HOLD, LEADER_LEADING, 8000, 5000, 0},
      {3010, FAILS(ERR_CONFLICT), LEADER_READ, LEADER_LEADING, 8010, 5000, 0},
      {3020, SAYS("other", "2"), LEADER_NOTHING, LEADER_LOST, NEVER, 0, 0},
      {3030, TICK, LEADER_NOTHING, LEADER_LOST, NEVER, 0, 0},
      {3030, RELEASE, LEADER_NOTHING, LEADER_LOST, NEVER, 0, 0}}},
    {"a lease that was emptied is taken again",
     {START_LEADING,
      {3000, TICK, LEADER_HOLD, LEADER_LEADING, 8000, 5000, 0},
      {3010, FAILS(ERR_CONFLICT), LEADER_READ, LEADER_LEADING, 8010, 5000, 0},
      {3020, SAYS("", "2"), LEADER_HOLD, LEADER_LEADING, 8020, 5000, 0}}},
    {"a lease that was deleted is created again",
     {START_LEADING,
      {3000, TICK, LEADER_HOLD, LEADER_LEADING, 8000, 5000, 0},
      {3010, FAILS(ERR_NOT_FOUND), LEADER_CREATE, LEADER_LEADING, 8010, 5000, 0},
      {3020, SAYS("me", "2"), LEADER_NOTHING, LEADER_LEADING, 5010, 0, 0}}},
    {"a lease that was deleted and taken is lost",
     {START_LEADING,
      {3000, TICK, LEADER_HOLD, LEADER_LEADING, 8000, 5000, 0},
      {3010, FAILS(ERR_NOT_FOUND), LEADER_CREATE, LEADER_LEADING, 8010, 5000, 0},
      {3020, FAILS(ERR_CONFLICT), LEADER_READ, LEADER_LEADING, 8020, 5000, 0},
      {3030, SAYS("other", "2"), LEADER_NOTHING, LEADER_LOST, NEVER, 0, 0}}},
    {"errors: a try every two seconds, the last ones shorter, then it is lost",
     {START_LEADING,
      {3000, TICK, LEADER_HOLD, LEADER_LEADING, 8000, 5000, 0},
      {3010, FAILS(ERR_UNAVAILABLE), LEADER_NOTHING, LEADER_LEADING, 5000, 0, 0},
      {5000, TICK, LEADER_READ, LEADER_LEADING, 10000, 5000, 0},
      {5010, FAILS(ERR_NETWORK), LEADER_NOTHING, LEADER_LEADING, 7000, 0, 0},
      {7000, TICK, LEADER_READ, LEADER_LEADING, 10999, 3999, 0},
      {7010, FAILS(ERR_UNAVAILABLE), LEADER_NOTHING, LEADER_LEADING, 9000, 0, 0},
      {9000, TICK, LEADER_READ, LEADER_LEADING, 10999, 1999, 0},
      {9010, FAILS(ERR_UNAVAILABLE), LEADER_NOTHING, LEADER_LEADING, 11000, 0, 0},
      {10999, TICK, LEADER_NOTHING, LEADER_LEADING, 11000, 0, 0},
      {11000, TICK, LEADER_NOTHING, LEADER_LOST, NEVER, 0, 0}}},
    {"errors that pass",
     {START_LEADING,
      {3000, TICK, LEADER_HOLD, LEADER_LEADING, 8000, 5000, 0},
      {3010, FAILS(ERR_UNAVAILABLE), LEADER_NOTHING, LEADER_LEADING, 5000, 0, 0},
      {5000, TICK, LEADER_READ, LEADER_LEADING, 10000, 5000, 0},
      {5010, SAYS("me", "1"), LEADER_HOLD, LEADER_LEADING, 10010, 5000, 0},
      {5020, SAYS("me", "2"), LEADER_NOTHING, LEADER_LEADING, 7010, 0, 0},
      {14000, TICK, LEADER_HOLD, LEADER_LEADING, 15009, 1009, 0}}},
    {"a silent server: the second try has a connection of its own, and time",
     {START_LEADING,
      {3000, TICK, LEADER_HOLD, LEADER_LEADING, 8000, 5000, 0},
      {8000, TICK, LEADER_NOTHING, LEADER_LEADING, 8100, 0, DROPPED},
      {8100, TICK, LEADER_READ, LEADER_LEADING, 10999, 2899, NEW},
      {10999, TICK, LEADER_NOTHING, LEADER_LEADING, 11000, 0, DROPPED},
      {11000, TICK, LEADER_NOTHING, LEADER_LOST, NEVER, 0, 0}}},
    {"a dead connection: a new one answers, and the others are given up",
     {START_LEADING,
      {3000, TICK, LEADER_HOLD, LEADER_LEADING, 8000, 5000, 0},
      {8000, FAILS(ERR_TIMEOUT), LEADER_NOTHING, LEADER_LEADING, 8100, 0, 0},
      {8100, TICK, LEADER_READ, LEADER_LEADING, 10999, 2899, NEW},
      {8110, SAYS("me", "1"), LEADER_HOLD, LEADER_LEADING, 10999, 2889, RESET},
      {8120, SAYS("me", "2"), LEADER_NOTHING, LEADER_LEADING, 10110, 0, 0}}},
    {"a slow server: a renewal counts from when it was sent",
     {START_LEADING,
      {3000, TICK, LEADER_HOLD, LEADER_LEADING, 8000, 5000, 0},
      {7900, SAYS("me", "2"), LEADER_NOTHING, LEADER_LEADING, 8000, 0, 0},
      {8000, TICK, LEADER_HOLD, LEADER_LEADING, 12999, 4999, 0},
      {13000, TICK, LEADER_NOTHING, LEADER_LOST, NEVER, 0, DROPPED}}},
    {"paused past it: lost, whatever was answered meanwhile",
     {START_LEADING,
      {3000, TICK, LEADER_HOLD, LEADER_LEADING, 8000, 5000, 0},
      {33000, SAYS("me", "2"), LEADER_NOTHING, LEADER_LOST, NEVER, 0, DROPPED}}},
    {"paused past it between two renewals",
     {START_LEADING, {40000, TICK, LEADER_NOTHING, LEADER_LOST, NEVER, 0, 0}}},
    {"a leader's clock that goes back: lost",
     {START_LEADING, {999, TICK, LEADER_NOTHING, LEADER_LOST, NEVER, 0, 0}}},
    {"paused, but not past it",
     {START_LEADING,
      {10500, TICK, LEADER_HOLD, LEADER_LEADING, 10999, 499, 0},
      {10600, SAYS("me", "2"), LEADER_NOTHING, LEADER_LEADING, 12500, 0, 0}}},
    {"given up",
     {START_LEADING,
      {2000, RELEASE, LEADER_CLEAR, LEADER_RELEASING, 6999, 4999, 0},
      {2010, SAYS("", "2"), LEADER_NOTHING, LEADER_DONE, NEVER, 0, 0},
      {2020, TICK, LEADER_NOTHING, LEADER_DONE, NEVER, 0, 0}}},
    {"given up while a renewal is under way",
     {START_LEADING,
      {3000, TICK, LEADER_HOLD, LEADER_LEADING, 8000, 5000, 0},
      {3001, RELEASE, LEADER_READ, LEADER_RELEASING, 8000, 4999, DROPPED},
      {3010, SAYS("me", "2"), LEADER_CLEAR, LEADER_RELEASING, 8000, 4990, 0},
      {3020, SAYS("", "3"), LEADER_NOTHING, LEADER_DONE, NEVER, 0, 0}}},
    {"given up against a conflict",
     {START_LEADING,
      {2000, RELEASE, LEADER_CLEAR, LEADER_RELEASING, 6999, 4999, 0},
      {2010, FAILS(ERR_CONFLICT), LEADER_READ, LEADER_RELEASING, 6999, 4989, 0},
      {2020, SAYS("me", "2"), LEADER_CLEAR, LEADER_RELEASING, 6999, 4979, 0},
      {2030, SAYS("", "3"), LEADER_NOTHING, LEADER_DONE, NEVER, 0, 0}}},
    {"another's is not given up",
     {START_LEADING,
      {2000, RELEASE, LEADER_CLEAR, LEADER_RELEASING, 6999, 4999, 0},
      {2010, FAILS(ERR_CONFLICT), LEADER_READ, LEADER_RELEASING, 6999, 4989, 0},
      {2020, SAYS("other", "2"), LEADER_NOTHING, LEADER_DONE, NEVER, 0, 0}}},
    {"nor is one that is gone",
     {START_LEADING,
      {2000, RELEASE, LEADER_CLEAR, LEADER_RELEASING, 6999, 4999, 0},
      {2010, FAILS(ERR_NOT_FOUND), LEADER_NOTHING, LEADER_DONE, NEVER, 0, 0}}},
    {"giving up ends in time",
     {START_LEADING,
      {2000, RELEASE, LEADER_CLEAR, LEADER_RELEASING, 6999, 4999, 0},
      {2010, FAILS(ERR_UNAVAILABLE), LEADER_NOTHING, LEADER_RELEASING, 4000, 0, 0},
      {4000, TICK, LEADER_READ, LEADER_RELEASING, 6999, 2999, 0},
      {6999, TICK, LEADER_NOTHING, LEADER_RELEASING, 7000, 0, DROPPED},
      {7000, TICK, LEADER_NOTHING, LEADER_DONE, NEVER, 0, 0}}},
    {"what ran out is not given up",
     {START_LEADING,
      {10000, RELEASE, LEADER_CLEAR, LEADER_RELEASING, 10999, 999, 0},
      {11000, TICK, LEADER_NOTHING, LEADER_DONE, NEVER, 0, DROPPED}}},
    {"a standby has nothing to give up",
     {START,
      {1010, SAYS("other", "1"), LEADER_NOTHING, LEADER_STANDBY, SOON, 0, 0},
      {1020, RELEASE, LEADER_NOTHING, LEADER_DONE, NEVER, 0, 0}}},
    {"a standby that is reading neither",
     {START, {1020, RELEASE, LEADER_NOTHING, LEADER_DONE, NEVER, 0, DROPPED}}},
    {"a standby that is about to hold it looks whether it does",
     {START,
      {1010, SAYS("", "1"), LEADER_HOLD, LEADER_STANDBY, 6010, 5000, 0},
      {1020, RELEASE, LEADER_READ, LEADER_RELEASING, 6019, 4999, DROPPED},
      {1030, SAYS("me", "2"), LEADER_CLEAR, LEADER_RELEASING, 6019, 4989, 0},
      {1040, SAYS("", "3"), LEADER_NOTHING, LEADER_DONE, NEVER, 0, 0}}},
};

static void check_row(const struct row *want, const struct leader_action *a, const struct leader *l)
{
    assert_int_equal(a->request, want->request);
    assert_int_equal(l->state, want->state);
    assert_int_equal((a->is_dropped ? DROPPED : 0) | (a->new_connection ? NEW : 0) |
                         (a->is_reset ? RESET : 0),
                     want->flags);
    if (want->at_ms == SOON)
        assert_in_range(a->at_ms, want->now_ms + 2000, want->now_ms + 4400);
    else
        assert_true(a->at_ms == want->at_ms);
    assert_int_equal(a->timeout_ms, want->timeout_ms);
    /* a request ends before the lease does */
    if (a->request != LEADER_NOTHING)
        assert_true(a->timeout_ms < leader_left_ms(l, want->now_ms));
    assert_int_equal(leader_is_leader(l, want->now_ms), want->state == LEADER_LEADING);
}

static void test_scenarios(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        struct leader l;
        leader_init(&l, &options, i);
        for (const struct row *r = scenarios[i].rows; r < scenarios[i].rows + MAX_ROWS && r->now_ms > 0;
             r++) {
            struct leader_action a = leader_step(&l, &r->event, r->now_ms);
            print_message("%s: %zu\n", scenarios[i].name, (size_t)(r - scenarios[i].rows));
            check_row(r, &a, &l);
        }
        leader_deinit(&l);
    }
}

static void test_what_is_left(void **state)
{
    (void)state;
    struct leader l;
    const struct row rows[] = {START_LEADING};
    leader_init(&l, &options, 0);
    assert_true(leader_left_ms(&l, 0) == UINT64_MAX);
    for (size_t i = 0; i < 3; i++)
        leader_step(&l, &rows[i].event, rows[i].now_ms);
    assert_string_equal(leader_holder(&l), "me");
    static const struct {
        uint64_t now_ms, left_ms;
    } cases[] = {{1000, 10000}, {1001, 9999}, {10999, 1}, {11000, 0}, {99000, 0}, {999, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(leader_left_ms(&l, cases[i].now_ms), cases[i].left_ms);
        assert_int_equal(leader_is_leader(&l, cases[i].now_ms), cases[i].left_ms > 0);
        assert_int_equal(leader_is_healthy(&l, cases[i].now_ms), cases[i].left_ms > 0);
    }
    leader_step(&l, &(struct leader_event){.kind = LEADER_TICK}, 11000);
    assert_int_equal(leader_left_ms(&l, 1000), 0);
    leader_deinit(&l);
}

static void test_options(void **state)
{
    (void)state;
    static const struct {
        uint64_t lease_ms, renew_ms, retry_ms;
        const char *says; /* the error's text; NULL if the options are good */
    } cases[] = {
        {15000, 10000, 2000, NULL},
        {2, 1, 0, "--leader-elect-retry-period must be greater than zero"},
        {15000, 0, 2000, "--leader-elect-renew-deadline must be greater than zero"},
        {0, 10000, 2000, "--leader-elect-lease-duration must be greater than zero"},
        {10000, 10000, 2000,
         "--leader-elect-lease-duration must be greater than --leader-elect-renew-deadline"},
        {15000, 2400, 2000,
         "--leader-elect-renew-deadline must be greater than --leader-elect-retry-period * 1.2"},
        {15000, 2401, 2000, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct leader_options o = {"me", cases[i].lease_ms, cases[i].renew_ms, cases[i].retry_ms};
        struct err err = {0};
        assert_int_equal(leader_check_options(&o, &err), cases[i].says == NULL ? 0 : -1);
        assert_string_equal(err.msg, cases[i].says == NULL ? "" : cases[i].says);
    }
}

/*
 * Three of them and a server, at random: requests and answers take their time or are lost, what was
 * canceled may arrive all the same, processes are paused, end and start again. At no moment two
 * believe that they may write.
 */
enum { PROCESSES = 3, ROUNDS = 200, ROUND_MS = 120 * 1000, STEP_MS = 10, WIRE = 8 };

struct server {
    uint64_t version; /* 0: there is no lease */
    char holder[8];
};

struct request {
    enum leader_request kind; /* NOTHING: the place is free */
    uint64_t arrive_ms;
    uint64_t base; /* the version that it replaces */
};

struct process {
    struct leader leader;
    char name[8];
    uint64_t wake_ms, paused_until_ms;
    struct request wire[WIRE];    /* on their way to the server */
    const struct request *newest; /* whose answer is awaited; NULL: none is */
    bool has_answer;
    uint64_t answer_ms, version; /* version: as answered last */
    struct leader_event answer;
    char holder[8], text[32];
};

static uint64_t chance;

static uint64_t pick(uint64_t below)
{
    return (uint64_t)(backoff_random(&chance) * (double)below);
}

/* Mostly quick, sometimes slow, sometimes never. */
static uint64_t travel_ms(void)
{
    return pick(20) == 0 ? 1000000 : pick(10) == 0 ? pick(15000) : pick(50);
}

static void act(struct process *p, const struct leader_event *event, uint64_t now_ms)
{
    struct leader_action a = leader_step(&p->leader, event, now_ms);
    size_t i = 0;
    p->wake_ms = a.at_ms;
    if (a.is_dropped || a.request != LEADER_NOTHING) {
        p->newest = NULL;
        p->has_answer = false;
    }
    while (i < WIRE && p->wire[i].kind != LEADER_NOTHING)
        i++;
    if (a.request == LEADER_NOTHING || i == WIRE)
        return;
    p->wire[i] = (struct request){a.request, now_ms + travel_ms(), p->version};
    p->newest = &p->wire[i];
}

/* What the server makes of a request. */
static struct leader_event serve(struct server *s, const struct process *p, const struct request *r)
{
    struct leader_event failed = {.kind = LEADER_FAILED, .code = ERR_CONFLICT};
    if (r->kind != LEADER_CREATE && s->version == 0)
        failed.code = ERR_NOT_FOUND;
    if (s->version != (r->kind == LEADER_CREATE ? 0
                       : r->kind == LEADER_READ ? s->version
                                                : r->base) ||
        failed.code == ERR_NOT_FOUND)
        return failed;
    if (r->kind != LEADER_READ) {
        s->version++;
        snprintf(s->holder, sizeof s->holder, "%s", r->kind == LEADER_CLEAR ? "" : p->name);
    }
    return (struct leader_event){.kind = LEADER_ANSWERED};
}

static void arrive(struct server *s, struct process *p, struct request *r, uint64_t now_ms)
{
    struct leader_event event = serve(s, p, r);
    r->kind = LEADER_NOTHING;
    if (p->newest != r)
        return;
    p->newest = NULL;
    p->has_answer = true;
    p->answer_ms = now_ms + travel_ms();
    p->answer = event;
    snprintf(p->holder, sizeof p->holder, "%s", s->holder);
    snprintf(p->text, sizeof p->text, "%llu", (unsigned long long)s->version);
    p->answer.record = (struct leader_record){p->holder, 15000, p->text};
}

static void turn(struct server *s, struct process *p, uint64_t now_ms)
{
    for (size_t i = 0; i < WIRE; i++) {
        if (p->wire[i].kind != LEADER_NOTHING && now_ms >= p->wire[i].arrive_ms)
            arrive(s, p, &p->wire[i], now_ms);
    }
    if (now_ms < p->paused_until_ms)
        return;
    if (p->has_answer && now_ms >= p->answer_ms) {
        p->has_answer = false;
        if (p->answer.kind == LEADER_ANSWERED)
            p->version = strtoull(p->text, NULL, 10);
        act(p, &p->answer, now_ms);
    }
    if (now_ms >= p->wake_ms)
        act(p, &(struct leader_event){.kind = LEADER_TICK}, now_ms);
    if (pick(20000) == 0)
        p->paused_until_ms = now_ms + pick(40000);
    if (pick(20000) == 0)
        act(p, &(struct leader_event){.kind = LEADER_RELEASE}, now_ms);
}

static void restart(struct process *p, unsigned number, uint64_t now_ms)
{
    *p = (struct process){.wake_ms = now_ms, .paused_until_ms = now_ms + pick(5000)};
    snprintf(p->name, sizeof p->name, "p%u", number);
    leader_init(&p->leader,
                &(struct leader_options){p->name, LEADER_LEASE_MS, LEADER_RENEW_MS, LEADER_RETRY_MS}, number);
}

static void test_never_two(void **state)
{
    (void)state;
    unsigned elected = 0, number = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct process processes[PROCESSES];
        struct server server = {0};
        chance = round;
        for (size_t i = 0; i < PROCESSES; i++)
            restart(&processes[i], number++, 0);
        for (uint64_t now_ms = 0; now_ms < ROUND_MS; now_ms += STEP_MS) {
            unsigned leaders = 0;
            for (size_t i = 0; i < PROCESSES; i++) {
                struct process *p = &processes[i];
                bool was_leader = leader_is_leader(&p->leader, now_ms);
                turn(&server, p, now_ms);
                elected += !was_leader && leader_is_leader(&p->leader, now_ms);
                leaders += leader_is_leader(&p->leader, now_ms);
                if (p->leader.state >= LEADER_DONE) {
                    leader_deinit(&p->leader);
                    restart(p, number++, now_ms);
                }
            }
            assert_true(leaders <= 1);
        }
        for (size_t i = 0; i < PROCESSES; i++)
            leader_deinit(&processes[i].leader);
    }
    assert_true(elected > ROUNDS); /* there was something to see */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenarios),
        cmocka_unit_test(test_what_is_left),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_never_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
