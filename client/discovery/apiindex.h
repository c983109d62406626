/*
 * apiindex: the index of OpenAPI v3 documents (/openapi/v3), when to read it,
 * and which of its changes to believe. Pure: bytes and time are arguments.
 *
 * A change of each path counts by the rule of polled.h: a new hash when two readings agree or its group was
 * announced; the end of a path always needs two readings. The first reading counts at once.
 *
 *     apiindex_begin(&x, now_ms);  ... the request ...
 *     apiindex_read(&x, bytes, len, now_ms, on_change, user, &err);
 *     timer_start(&timer, again, apiindex_delay(&x, now_ms), 0);
 */
#ifndef CLIENT_DISCOVERY_APIINDEX_H
#define CLIENT_DISCOVERY_APIINDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/base/err.h"
#include "client/discovery/announced.h"
#include "client/discovery/polled.h"

enum {
    APIINDEX_ENTRIES = 20000,
    APIINDEX_CAP_BYTES = 16 * 1024 * 1024,    /* of its text: 200 to 900 bytes an entry */
    APIINDEX_WEIGHT_BYTES = 64 * 1024 * 1024, /* of its tree (jsonweight.h) */
};

struct apiindex_entry {
    char *path; /* "apis/apps/v1" */
    char *url;  /* serverRelativeURL */
    char *hash; /* of the URL's hash parameter; the whole URL if it has none */
    /* Another reading must confirm these: a new url, or (is_gone) that the path vanished. */
    char *next_url;
    bool is_gone;
    struct belief belief;
    bool is_new;  /* nothing is accepted yet: path stands for its candidate only */
    bool is_seen; /* in the reading that is being processed */
};

struct apiindex {
    struct apiindex_entry *entries; /* sorted by path */
    size_t n_entries;
    struct announced announced;
    struct polled polled;
    bool has_read;
    bool is_partial; /* it has more than APIINDEX_ENTRIES paths: the others are not known */
};

void apiindex_init(struct apiindex *x, uint64_t seed);
void apiindex_deinit(struct apiindex *x);

/* Processes a reading. If there are more than APIINDEX_ENTRIES paths, the first are taken in; on_change (may
 * be NULL) names each path whose accepted url changed, appeared or vanished; it must not call back into x
 * but for apiindex_find. Errors: PROTOCOL, LIMIT; then nothing changed. */
int apiindex_read(struct apiindex *x, const char *bytes, size_t len, uint64_t now_ms,
                  void (*on_change)(void *user, const char *path), void *user, struct err *err) MUST_CHECK;

/* The index is too large to be read: the paths that were read before count, and others may be there. */
void apiindex_on_limit(struct apiindex *x, uint64_t now_ms);

/* A reading of the index begins; a reading failed. */
void apiindex_begin(struct apiindex *x, uint64_t now_ms);
void apiindex_on_failure(struct apiindex *x, uint64_t now_ms);

/* Something happened to this group. */
void apiindex_trigger(struct apiindex *x, const char *group, uint64_t now_ms);

/* Returns how long to wait for the next reading; UINT64_MAX while there is one. */
uint64_t apiindex_delay(const struct apiindex *x, uint64_t now_ms);

/* The accepted entry of path, or NULL. */
const struct apiindex_entry *apiindex_find(const struct apiindex *x, const char *path);

#endif
