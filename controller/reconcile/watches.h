/*
 * watches: the table of all resources that the daemon watches, and the
 * reflectors that watch them.
 *
 * Some are necessary for any work; some only help (schemas are noticed sooner);
 * some are watched because a flag asks for them. The start does not wait for the
 * last two. A watch of a resource that the server does not serve yet begins when
 * it does. Discovery decides which version is watched.
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
    WATCHES_FAILING_MS = 5 * 1000,     /* how long a watch may fail before that is reported */
    WATCHES_SILENT_MS = 2 * 60 * 1000, /* how long a server may send nothing; bookmarks come every minute */
};

/* Watches without a flag come first. */
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
    struct api *api;       /* must outlive the watches */
    unsigned asked;        /* the watches that flags ask for: a sum of WATCHES_BIT */
    bool is_policies_only; /* for a release, which needs no others */
    void (*on_change)(void *user, enum watches_id id, const struct store_object *now,
                      const struct store_object *before);
    void (*on_synced)(void *user); /* after each first list */
    void (*on_dropped)(void *user,
                       enum watches_id); /* its objects are no longer watched, or in another version */
    void *user;
};

struct watches *watches_new(const struct watches_options *options);
/* Afterwards no callback comes but on_closed; then the watches and their stores are freed. */
void watches_close(struct watches *watches, void (*on_closed)(void *user), void *user);

/* discovery may be NULL if only policies are watched. */
void watches_start(struct watches *watches, const struct discovery *discovery);
/* Must be called when the resources that the server serves have changed. */
void watches_serve(struct watches *watches, const struct discovery *discovery);

/* Returns true if the necessary ones are listed, and the others are too or have failed for WATCHES_SYNC_MS.
 * If err is set, a necessary one has failed for as long, and can never be listed. */
bool watches_are_settled(struct watches *watches, struct err *err);

/* Valid until on_dropped is called for the id, or watches_close. Returns NULL if it is not watched, or not
 * yet. */
const struct store *watches_store(const struct watches *watches, enum watches_id id);
/* The version that is watched; NULL if there is none. */
const char *watches_version(const struct watches *watches, enum watches_id id);

/* Returns why its store may be out of date: it was not listed yet, the API server refuses it (a right is
 * missing), its watch has failed for WATCHES_FAILING_MS, or the server sent nothing for too long. Returns
 * NULL if it is up to date, or the server does not serve it. */
const char *watches_problem(const struct watches *watches, enum watches_id id);
/* The first problem of a necessary watch, and its *name; NULL if there is none. */
const char *watches_needed_problem(const struct watches *watches, const char **name);

/* Sets the gauges. */
void watches_scrape(const struct watches *watches, struct metrics *metrics);

#endif
