/*
 * watches: the table of all resources that the daemon watches, and the
 * reflectors that watch them.
 *
 * Without some of them there is no work; some help (schemas are noticed sooner);
 * some are watched because a flag asks for them. The last two hold up nothing,
 * and one that the server does not serve yet begins when it does. Which version
 * of it is watched depends on discovery.
 *
 *     struct watches *w = watches_new(&(struct watches_options){.api = api, ...});
 *     watches_start(w, discovery);
 *     ... on_change ...; watches_serve(w, discovery) when what is served changed
 *     watches_close(w, on_closed, user);
 */
#ifndef CONTROLLER_RECONCILE_WATCHES_H
#define CONTROLLER_RECONCILE_WATCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "client/cache/store.h"
#include "client/discovery/discovery.h"
#include "client/rest/api.h"
#include "controller/observe/metrics.h"

enum {
    WATCHES_SYNC_MS = 10 * 1000,       /* how long a first list may fail at start */
    WATCHES_FAILING_MS = 5 * 1000,     /* how long a watch may fail before that is said */
    WATCHES_SILENT_MS = 2 * 60 * 1000, /* bookmarks come about every minute: after that, something is wrong */
};

/* Those without a flag come first. */
enum watches_id {
    WATCHES_POLICIES,
    WATCHES_BINDINGS,
    WATCHES_CRDS,
    WATCHES_APISERVICES,
    WATCHES_VALIDATING_WEBHOOKS,
    WATCHES_MUTATING_WEBHOOKS,
    WATCHES_MUTATING_POLICIES,
};

enum { WATCHES_COUNT = WATCHES_MUTATING_POLICIES + 1 };

#define WATCHES_BIT(id) (1u << (id))

struct watches;

struct watches_options {
    struct api *api;
    unsigned asked;        /* a sum of WATCHES_BIT: those of flags */
    bool is_policies_only; /* a release needs no others */
    void (*on_change)(void *user, enum watches_id id, const struct store_object *now,
                      const struct store_object *before);
    void (*on_synced)(void *user);                   /* after each first list */
    void (*on_dropped)(void *user, enum watches_id); /* its objects are no more, or of another version */
    void *user;
};

struct watches *watches_new(const struct watches_options *options);
/* No callback but on_closed afterwards; then they are freed, and the stores with them. */
void watches_close(struct watches *watches, void (*on_closed)(void *user), void *user);

/* discovery may be NULL where only policies are watched. */
void watches_start(struct watches *watches, const struct discovery *discovery);
/* What the server serves changed. */
void watches_serve(struct watches *watches, const struct discovery *discovery);

/* Whether those that there is no work without are listed, and the others were waited for long enough:
 * waited_ms since the start. An err that is set: one of them cannot be had, and that stays so. */
bool watches_are_settled(struct watches *watches, uint64_t waited_ms, struct err *err);

/* NULL before the start, and of what is not watched. */
const struct store *watches_store(const struct watches *watches, enum watches_id id);
/* The version that is watched; NULL: none. */
const char *watches_version(const struct watches *watches, enum watches_id id);

/* Why its store may be out of date: it was not listed yet, the API server refuses it (a right is missing),
 * its watch has failed for WATCHES_FAILING_MS, or the server sent nothing for too long. NULL: it is up to
 * date, or the server does not serve it. */
const char *watches_problem(const struct watches *watches, enum watches_id id);
/* The first problem of those that there is no work without, and its *name; NULL: none. */
const char *watches_needed_problem(const struct watches *watches, const char **name);

/* Gauges. */
void watches_scrape(const struct watches *watches, struct metrics *metrics);

#endif
