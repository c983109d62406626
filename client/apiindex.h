/*
 * apiindex: the index of OpenAPI v3 documents (/openapi/v3), when to read it,
 * and which of its changes to believe. Pure: bytes and time are arguments.
 *
 * Servers of two versions may answer in turn, and a group may vanish from one
 * answer in a hundred. So a new hash counts when two readings 5 s apart agree,
 * or when an event announced it (a trigger); that a path vanished always needs
 * two. The first reading counts at once.
 *
 *     apiindex_read(&x, bytes, len, now_ms, on_change, user, &err);
 *     uv_timer_start(&timer, again, apiindex_delay(&x), 0);
 */
#ifndef CLIENT_APIINDEX_H
#define CLIENT_APIINDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/err.h"

enum {
    APIINDEX_PERIOD_MS = 60000, /* +- 10 % */
    APIINDEX_CONFIRM_MS = 5000,
    APIINDEX_EAGER_MS = 250, /* after a trigger, for APIINDEX_EAGER_FOR_MS */
    APIINDEX_EAGER_FOR_MS = 5000,
    APIINDEX_EAGER_LAST_MS = 60000, /* then 1, 2, 4 ... s up to this; then the trigger is dropped */
    APIINDEX_ENTRIES = 20000,
};

struct apiindex_entry {
    char *path; /* "apis/apps/v1" */
    char *url;  /* serverRelativeURL */
    char *hash; /* of the URL's hash parameter; the whole URL if it has none */
    /* What another reading must confirm: a new url, or (is_gone) that the path vanished. */
    char *next_url;
    bool is_gone;
    bool has_candidate;
    uint64_t candidate_ms;
    bool is_new;  /* nothing is accepted yet: path stands for its candidate only */
    bool is_seen; /* in the reading that is being taken in */
};

struct apiindex_trigger {
    char *group;
    uint64_t began_ms;
    uint64_t step_ms; /* 0: still eager */
};

struct apiindex {
    struct apiindex_entry *entries; /* sorted by path */
    size_t n_entries;
    struct apiindex_trigger *triggers;
    size_t n_triggers;
    bool has_read;
    bool has_failed; /* the last try */
    uint64_t failures;
    uint64_t random;
};

void apiindex_init(struct apiindex *x, uint64_t seed);
void apiindex_deinit(struct apiindex *x);

/* Takes a reading in; on_change (may be NULL) names each path whose accepted url changed, appeared
 * or vanished; it must not call back into x but for apiindex_find. Errors: PROTOCOL, LIMIT; then
 * nothing changed. */
int apiindex_read(struct apiindex *x, const char *bytes, size_t len, uint64_t now_ms,
                  void (*on_change)(void *user, const char *path), void *user, struct err *err) MUST_CHECK;

/* The index could not be read. */
void apiindex_on_failure(struct apiindex *x);

/* Something happened to this group. */
void apiindex_trigger(struct apiindex *x, const char *group, uint64_t now_ms);

/* How long to wait for the next reading. Call it once after each reading, failure or trigger. */
uint64_t apiindex_delay(struct apiindex *x, uint64_t now_ms);

/* What is accepted for path, or NULL. */
const struct apiindex_entry *apiindex_find(const struct apiindex *x, const char *path);

#endif
