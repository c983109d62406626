/*
 * advise: checks other objects than policies (advisedkind.h). A worker (worker.h)
 * checks one after the other, with the code that kubectl-vapcheck runs, and
 * reports news by an Event and in the log. Nothing is written to the objects.
 *
 * Findings are remembered while the object exists and the process runs. Only
 * warnings are news at the first check of an object. Events are named by their
 * text (events.h), so neither a restart nor the next leader repeats them while the
 * server keeps them. If an object was repaired while no process was running, that
 * is not reported.
 *
 * A wrong binding is checked again after ADVISE_SETTLE_MS, and reported only then, because a binding and its
 * policy are applied or deleted one after the other. If a flag asks for that, the parameters of a binding are
 * looked for when the binding or its policy changes, and every ADVISE_PARAMS_MS.
 *
 * One loop. It has no timer of its own: the owner steps its worker.
 *
 *     struct advise *a = advise_new(&options);
 *     advise_start(a);
 *     while (worker_step(advise_worker(a)) || worker_resume(advise_worker(a))) turn_the_loop();
 *     advise_free(a);
 */
#ifndef CONTROLLER_RECONCILE_ADVISE_H
#define CONTROLLER_RECONCILE_ADVISE_H

#include <stdbool.h>
#include <stdint.h>

#include "client/rest/api.h"
#include "controller/match/labelselector.h"
#include "controller/match/types.h"
#include "controller/observe/events.h"
#include "controller/observe/metrics.h"
#include "controller/observe/policystats.h"
#include "controller/reconcile/advisedkind.h"
#include "controller/reconcile/cluster.h"
#include "controller/reconcile/watches.h"

enum {
    ADVISE_READS_MAX = 4,         /* objects that are read at once */
    ADVISE_SETTLE_MS = 10 * 1000, /* how long a binding may be wrong, since its policy may come soon */
    ADVISE_PARAMS_MS =
        10 * 60 * 1000, /* until a binding's parameters are looked for again, since they are not watched */
};

struct advise;
struct room;
struct worker;

/* All borrowed, for the life of the struct advise. */
struct advise_options {
    struct api *api;
    const struct watches *watches;
    struct cluster *cluster;
    unsigned kinds;       /* a sum of ADVISEDKIND_BIT */
    bool has_find_params; /* whether the parameters of bindings are looked for, too (paramref.h) */
    struct types_options types;
    struct room *room;                    /* as worker_options */
    const struct labelselector *selector; /* for kinds with is_selected; NULL: all objects */
    bool is_standby;                      /* documents are gathered, nothing is checked until worker_lead */
    struct metrics *metrics;              /* of metricfamilies_new; NULL: nothing is counted */
    struct events *events;                /* the sender of Events; NULL if none are sent */
    void (*on_wake)(void *user);          /* there may be something to do; called from the loop */
    void *user;
};

struct advise *advise_new(const struct advise_options *options);
/* Cancels running requests and checks. NULL is fine. */
void advise_free(struct advise *advise);

/* Queues all objects that the stores have. */
void advise_start(struct advise *advise);

/* The worker, which the owner steps and leads. Its requests only read, so nobody waits for their end. */
struct worker *advise_worker(const struct advise *advise);

/* Notes a change. Objects of kinds that no flag asks for are ignored. */
void advise_change(struct advise *advise, enum advisedkind_id kind, const struct store_object *now,
                   const struct store_object *before);
/* Forgets the kind's objects: they are no longer watched, or another version will be listed. */
void advise_drop(struct advise *advise, enum advisedkind_id kind);
/* Must be called when the policy that this binding names appeared, changed or was deleted. */
void advise_on_policy(struct advise *advise, const char *binding);
void advise_on_group(struct advise *advise, const char *group);
void advise_on_document(struct advise *advise, const char *path);
void advise_on_version(struct advise *advise);

bool advise_needs_document(const struct advise *advise, const char *path);

/* Returns true if the API server allows us to list the kind, but not to read all of its objects. */
bool advise_is_refused(const struct advise *advise, enum advisedkind_id kind);

/* Sets the gauges. */
void advise_scrape(const struct advise *advise, struct metrics *metrics);

uint64_t advise_count(const struct advise *advise);

#endif
