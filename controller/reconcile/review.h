/*
 * review: objects beside policies (kind.h): a worker (worker.h) checks one
 * after the other, with the code that kubectl-vapcheck runs; what is news is
 * reported by an Event and in the log. Nothing is written to them.
 *
 * What was found of an object is remembered while it is there and the process
 * runs. One that is first seen is news only if something is wrong with it, and
 * such an Event is called after what it says (events.h), so that neither a
 * restart nor the next leader repeats it while the server keeps it. What was
 * set right while nobody looked is not told.
 *
 * One loop; stepped by its owner as reconcile is.
 *
 *     struct review *r = review_new(&options);
 *     review_start(r);
 *     while (review_step(r)) turn_the_loop();
 *     review_free(r);
 */
#ifndef CONTROLLER_RECONCILE_REVIEW_H
#define CONTROLLER_RECONCILE_REVIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "client/rest/api.h"
#include "controller/check/types.h"
#include "controller/observe/events.h"
#include "controller/observe/metrics.h"
#include "controller/observe/tally.h"
#include "controller/reconcile/cluster.h"
#include "controller/reconcile/kind.h"
#include "controller/reconcile/labelselector.h"
#include "controller/reconcile/watches.h"

enum { REVIEW_READS_MAX = 4 }; /* objects that are read at once */

struct review;
struct room;

/* All borrowed, for the life of the review. */
struct review_options {
    struct api *api;
    const struct watches *watches;
    struct cluster *cluster;
    unsigned kinds; /* a sum of KIND_BIT */
    struct types_options types;
    struct room *room;                    /* as worker_options */
    const struct labelselector *selector; /* of the kinds that are selected; NULL: all of them */
    bool is_standby;                      /* documents are gathered, nothing is checked until review_lead */
    struct metrics *metrics;              /* telemetry's; NULL: nothing is counted */
    struct events *events;                /* NULL: none are sent */
    void (*on_wake)(void *user);          /* there may be something to do; called from the loop */
    void *user;
};

struct review *review_new(const struct review_options *options);
/* NULL is fine. Cancels what is under way. */
void review_free(struct review *review);

/* Queues all objects that there are. */
void review_start(struct review *review);

/* We hold the lease: what was gathered so far is checked when review_start queues it. */
void review_lead(struct review *review);

/* As worker_step, worker_resume and worker_next_ms. */
bool review_step(struct review *review);
bool review_resume(struct review *review);
uint64_t review_next_ms(const struct review *review);

/* What changes. An object of a kind that is not asked for is nothing to it. */
void review_change(struct review *review, enum kind_id kind, const struct store_object *now,
                   const struct store_object *before);
/* The kind's objects are watched no more, or in another version, whose list is to come. */
void review_drop(struct review *review, enum kind_id kind);
void review_on_group(struct review *review, const char *group);
void review_on_document(struct review *review, const char *path);
void review_on_version(struct review *review);

bool review_needs_document(const struct review *review, const char *path);

/* The API server lets us list the kind, but not read its objects, or not all. */
bool review_is_refused(const struct review *review, enum kind_id kind);

/* Gauges. */
void review_scrape(const struct review *review, struct metrics *metrics);

uint64_t review_count(const struct review *review);

#endif
