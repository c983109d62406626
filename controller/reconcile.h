/*
 * reconcile: one policy at a time from the queue: gather the documents its
 * check needs, check it (at once, on the loop), apply its status if that
 * differs. While no write may start nothing is taken from the queue.
 *
 * One loop. It has no timer of its own: the owner calls reconcile_step again
 * and again while it answers true, once a turn of the loop so that the loop
 * keeps turning, and again after on_wake or when a delayed key is due.
 *
 *     struct reconcile *r = reconcile_new(&options);
 *     while (reconcile_step(r)) turn_the_loop();
 *     if (reconcile_stop(r, on_stopped, user)) ...      writes under way end first
 *     reconcile_free(r);
 */
#ifndef CONTROLLER_RECONCILE_H
#define CONTROLLER_RECONCILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/api.h"
#include "client/store.h"
#include "controller/bindings.h"
#include "controller/cluster.h"
#include "controller/dependents.h"
#include "controller/events.h"
#include "controller/labelselector.h"
#include "controller/metrics.h"
#include "controller/tally.h"
#include "controller/types.h"
#include "controller/workqueue.h"

#define RECONCILE_API_VERSION "admissionregistration.k8s.io/v1"
#define RECONCILE_KIND        "ValidatingAdmissionPolicy"
#define RECONCILE_POLICIES    "/apis/" RECONCILE_API_VERSION "/validatingadmissionpolicies"

#define RECONCILE_WRITES_DEFAULT 8

enum {
    RECONCILE_CONFLICT_MS = 1000,    /* until a conflict's key is looked at again, event or not */
    RECONCILE_RELEASE_REASSERTS = 2, /* of a policy: who releases does not fight for an hour */
    RECONCILE_THROTTLED_MS = 1000,   /* how long all writes rest after a 429 that names no time */
};

/* ORDER RECONCILE_CAUSES: why a key is in the queue, as its cause there. */
enum reconcile_cause {
    RECONCILE_RETRY = WORKQUEUE_RETRY,
    RECONCILE_POLICY,
    RECONCILE_BINDING,
    RECONCILE_RESOURCES, /* what an API group serves */
    RECONCILE_SCHEMA,
    RECONCILE_VERSION, /* of the server */
};

struct reconcile;

/* All borrowed, for the life of the reconcile. */
struct reconcile_options {
    struct api *api;
    struct workqueue *queue; /* keys are names of policies */
    const struct store *policies;
    const struct bindings *bindings;
    struct cluster *cluster; /* NULL: is_release, which needs none */
    struct dependents *dependents;
    struct types_options types;
    const struct labelselector *selector; /* NULL: every policy */
    bool is_conditions_only;
    bool is_release; /* give up what is ours on every policy, check nothing */
    size_t max_writes;
    struct metrics *metrics;     /* telemetry's; NULL: nothing is counted */
    struct events *events;       /* NULL: none are sent */
    void (*on_wake)(void *user); /* there may be something to do; called from the loop */
    void *user;
};

struct reconcile_counts {
    uint64_t checked, written;
    uint64_t failed;    /* writes that the server did not take */
    uint64_t refused;   /* of these: forbidden or invalid */
    uint64_t contested; /* policies that a release left to a controller that writes them again */
};

struct reconcile *reconcile_new(const struct reconcile_options *options);
/* Cancels what is under way. */
void reconcile_free(struct reconcile *reconcile);

/* One piece of work; false if there is nothing to do now. */
bool reconcile_step(struct reconcile *reconcile);

/* When reconcile_step has something to do again without a wake: a delayed key, writes that
 * rested. DUE_NEVER: not by time; while as many writes as may be are under way the end of one wakes. */
uint64_t reconcile_next_ms(const struct reconcile *reconcile);

/* A new version of the policy was seen: whether it is to be queued. Not if our last write made it;
 * while a write is under way that is seen, and the policy queued if need be, at its end. */
bool reconcile_is_news(struct reconcile *reconcile, const char *key, const char *resource_version);

/* The policy was deleted: what is under way for it is canceled. */
void reconcile_cancel(struct reconcile *reconcile, const char *key);

/* No new work. True if no write is under way; else on_stopped comes when the last one ended. */
bool reconcile_stop(struct reconcile *reconcile, void (*on_stopped)(void *user), void *user);

struct reconcile_counts reconcile_counts(const struct reconcile *reconcile);

/* How the policies stand. */
const struct tally *reconcile_tally(const struct reconcile *reconcile);

#endif
