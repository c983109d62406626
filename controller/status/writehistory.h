/*
 * writehistory: the memory of one policy between two checks, so that no status is written needlessly: not on
 * a version that was already written on, not in a fight with another writer, not too soon after the server
 * refused it. Pure: time is an argument.
 *
 *     writehistory_see(h, policy);
 *     switch (writehistory_may_write(h, resource_version, plan.digest, now_ms, &delay_ms)) ...
 *     writehistory_wrote(h, resource_version, resource_version_of_the_reply, plan.digest);
 */
#ifndef CONTROLLER_STATUS_WRITEHISTORY_H
#define CONTROLLER_STATUS_WRITEHISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/match/policyview.h"

enum {
    WRITEHISTORY_REASSERTS = 5, /* as often another writer's change is undone in a minute; then once an hour,
                                   so that two writers do not fight for ever */
    WRITEHISTORY_REASSERT_WINDOW_MS = 60 * 1000,
    WRITEHISTORY_QUIET_MS = 60 * 60 * 1000,
    WRITEHISTORY_REFUSED_MS =
        10 * 60 * 1000,           /* until a status that the server refused is tried again unchanged */
    WRITEHISTORY_SHORTEN_MAX = 4, /* how often a text is cut to half */
};

struct writehistory {
    char *uid;
    int64_t generation;
    char *written_on; /* the version that our last write replaced; NULL: it cannot be seen again */
    char *expected;   /* the version that our last write made, if a check of it would find nothing to write;
                         NULL: none */
    uint64_t applied; /* digest of what was applied last */
    uint64_t refused; /* digest of what the server called invalid */
    uint64_t refused_until_ms; /* 0: no status was refused */
    uint64_t reasserts_ms[WRITEHISTORY_REASSERTS];
    uint64_t quiet_until_ms; /* 0: not quiet */
    size_t text_cap_bytes;   /* 0: none; else the text was too large for the server */
    uint8_t n_reasserts;
    uint8_t n_shortened;
    bool has_applied;
    bool is_left_logged;
    bool is_given_up; /* a release left it */
};

/* A history that remembers nothing. The caller frees it. */
struct writehistory *writehistory_new(void);
void writehistory_free(void *history);

/* Must be called with the policy before each check: a recreated policy starts a new history, and a new
 * generation a new text. */
void writehistory_see(struct writehistory *history, const struct policyview *policy);

enum writehistory_answer {
    WRITEHISTORY_WRITE,
    WRITEHISTORY_WRITE_AGAIN, /* another writer overwrote what we applied; this is counted */
    WRITEHISTORY_QUIET,       /* that happened too often: from now on one try an hour */
    WRITEHISTORY_LATER,       /* after *delay_ms */
    WRITEHISTORY_AWAIT,       /* this version is older than our last write, whose event will cause a check */
};

/* Decides whether a difference that was found on this version is written. WRITEHISTORY_QUIET and
 * WRITEHISTORY_LATER set *delay_ms. */
enum writehistory_answer writehistory_may_write(struct writehistory *history, const char *resource_version,
                                                uint64_t digest, uint64_t now_ms, uint64_t *delay_ms);

/* Returns true if this was applied last: nothing has to be written of an object whose status cannot be
 * seen. */
bool writehistory_has_applied(const struct writehistory *history, uint64_t digest);

/* Notes that our write made this version, and that a check of it would find nothing to write. If it is NULL,
 * no version is expected. */
void writehistory_expect(struct writehistory *history, const char *version);

/* Notes that the server took the write; `after` is the version that it answered with, "" if that could not be
 * read. */
void writehistory_wrote(struct writehistory *history, const char *before, const char *after, uint64_t digest);
/* Notes that the server called it invalid: the same status is not tried again for WRITEHISTORY_REFUSED_MS. */
void writehistory_refused(struct writehistory *history, uint64_t digest, uint64_t now_ms);
/* Notes that the server called it too large: the cap is halved. Returns false if that happened
 * WRITEHISTORY_SHORTEN_MAX times. */
bool writehistory_shorten(struct writehistory *history, size_t text_bytes);

#endif
