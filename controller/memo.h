/*
 * memo: what is remembered of one policy between two checks, so that writing
 * ends: no write on a version that was written on, no fight over fields, no
 * second try of what the server refuses. Pure: time is an argument.
 *
 *     memo_see(m, policy);
 *     switch (memo_may_write(m, resource_version, plan.digest, now_ms, &delay_ms)) ...
 *     memo_wrote(m, resource_version, resource_version_of_the_reply, plan.digest);
 */
#ifndef CONTROLLER_MEMO_H
#define CONTROLLER_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/policy.h"

enum {
    MEMO_REASSERTS = 5, /* in a minute; then one try an hour */
    MEMO_REASSERT_WINDOW_MS = 60 * 1000,
    MEMO_QUIET_MS = 60 * 60 * 1000,
    MEMO_UNAVAILABLE_MS = 30 * 1000, /* how long a group may be unread before that is written */
};

struct memo {
    char *uid;
    int64_t generation;
    char *written_on; /* the version that our last write replaced; NULL: none that could be seen again */
    char *own;        /* the version that our last write made; NULL: none, or a check waits for its event */
    char *refused;    /* the version that the server called our status invalid on */
    bool has_applied;
    uint64_t applied; /* digest of what was applied last */
    uint64_t reasserts_ms[MEMO_REASSERTS];
    size_t n_reasserts;
    uint64_t quiet_until_ms; /* 0: not quiet */
    size_t text_cap_bytes;   /* 0: none; else the text was too large for the server */
    bool is_waiting;
    uint64_t waiting_since_ms;
    bool is_left_logged;
    bool is_given_up; /* a release left it */
};

/* All zero. */
struct memo *memo_new(void);
void memo_free(void *memo);

/* The policy as it is about to be checked: a recreated one is another, and a new generation's
 * text is a new one. */
void memo_see(struct memo *memo, const struct policy *policy);

enum memo_answer {
    MEMO_WRITE,
    MEMO_WRITE_AGAIN, /* somebody else overwrote what we applied; counted */
    MEMO_QUIET,       /* that happened too often: from now on one try an hour */
    MEMO_LATER,       /* after *delay_ms */
    MEMO_AWAIT,       /* the next version of the object decides */
};

/* For a difference that was found on this version. MEMO_QUIET and MEMO_LATER set *delay_ms. */
enum memo_answer memo_may_write(struct memo *memo, const char *resource_version, uint64_t digest,
                                uint64_t now_ms, uint64_t *delay_ms);

/* The server took it; `after` is the version that it answered with. */
void memo_wrote(struct memo *memo, const char *before, const char *after, uint64_t digest);
/* Whether this version is what our last write made of the policy: then nothing is to be decided. */
bool memo_is_own(const struct memo *memo, const char *resource_version);
/* The server called it invalid: not tried again on this version. */
void memo_refused(struct memo *memo, const char *resource_version);
/* The server called it too large: the cap is half of what it was. False if that was so before. */
bool memo_shorten(struct memo *memo, size_t text_bytes);

/* A check that waits for a group (or does not): how long to wait before that is written, 0: no longer. */
uint64_t memo_wait(struct memo *memo, bool is_waiting, uint64_t now_ms);

#endif
