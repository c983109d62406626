/*
 * memo: what is remembered of one policy between two checks, so that writing
 * ends: no write on a version that was written on, no fight over fields, no
 * early second try of what the server refuses. Pure: time is an argument.
 *
 *     memo_see(m, policy);
 *     switch (memo_may_write(m, resource_version, plan.digest, now_ms, &delay_ms)) ...
 *     memo_wrote(m, resource_version, resource_version_of_the_reply, plan.digest);
 */
#ifndef CONTROLLER_STATUS_MEMO_H
#define CONTROLLER_STATUS_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/check/policy.h"

enum {
    MEMO_REASSERTS = 5, /* in a minute; then one try an hour */
    MEMO_REASSERT_WINDOW_MS = 60 * 1000,
    MEMO_QUIET_MS = 60 * 60 * 1000,
    MEMO_REFUSED_MS = 10 * 60 * 1000, /* until a status that the server refused is tried again as it is */
    MEMO_SHORTEN_MAX = 4,             /* how often a text is cut to half */
};

struct memo {
    char *uid;
    int64_t generation;
    char *written_on; /* the version that our last write replaced; NULL: none that could be seen again */
    uint64_t applied; /* digest of what was applied last */
    uint64_t refused; /* digest of what the server called invalid */
    uint64_t refused_until_ms; /* 0: nothing was */
    uint64_t reasserts_ms[MEMO_REASSERTS];
    uint64_t quiet_until_ms; /* 0: not quiet */
    size_t text_cap_bytes;   /* 0: none; else the text was too large for the server */
    uint8_t n_reasserts;
    uint8_t n_shortened;
    bool has_applied;
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
    MEMO_AWAIT,       /* this version is older than our last write: the event of that decides */
};

/* For a difference that was found on this version. MEMO_QUIET and MEMO_LATER set *delay_ms. */
enum memo_answer memo_may_write(struct memo *memo, const char *resource_version, uint64_t digest,
                                uint64_t now_ms, uint64_t *delay_ms);

/* The server took it; `after` is the version that it answered with, "" if that could not be read. */
void memo_wrote(struct memo *memo, const char *before, const char *after, uint64_t digest);
/* The server called it invalid: the same is not tried again for MEMO_REFUSED_MS. */
void memo_refused(struct memo *memo, uint64_t digest, uint64_t now_ms);
/* The server called it too large: the cap is half of what it was. False if that was so MEMO_SHORTEN_MAX
 * times. */
bool memo_shorten(struct memo *memo, size_t text_bytes);

#endif
