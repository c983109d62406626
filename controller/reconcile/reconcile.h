/*
 * reconcile: keeps the statuses of policies correct: a worker (worker.h) checks
 * one policy after the other, and applies a status that differs. While no write
 * may start, nothing is taken from the queue.
 *
 * The event of our own write causes no check if the policy has exactly the version
 * of the write's answer, and nothing was added for the policy since the check
 * before the write began. Otherwise the policy is checked once more.
 *
 * One loop. It has no timer of its own: the owner steps its worker.
 *
 *     struct reconcile *r = reconcile_new(&options);
 *     while (worker_step(reconcile_worker(r)) || worker_resume(reconcile_worker(r))) turn_the_loop();
 *     reconcile_free(r);
 */
#ifndef CONTROLLER_RECONCILE_RECONCILE_H
#define CONTROLLER_RECONCILE_RECONCILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/cache/store.h"
#include "client/cache/workqueue.h"
#include "client/rest/api.h"
#include "controller/match/labelselector.h"
#include "controller/match/types.h"
#include "controller/observe/events.h"
#include "controller/observe/metrics.h"
#include "controller/observe/policystats.h"
#include "controller/reconcile/bindings.h"
#include "controller/reconcile/cluster.h"
#include "controller/reconcile/dependents.h"

#define RECONCILE_API_VERSION "admissionregistration.k8s.io/v1"
#define RECONCILE_KIND        "ValidatingAdmissionPolicy"
#define RECONCILE_RESOURCE    "validatingadmissionpolicies"

#define RECONCILE_WRITES_DEFAULT 8

enum {
    RECONCILE_RELEASE_REASSERTS = 2, /* for a policy: a release does not fight for an hour */
};

/* Says why a key is in the queue, as its cause there. */
enum reconcile_cause {
    RECONCILE_RETRY = WORKQUEUE_RETRY,
    RECONCILE_POLICY,
    RECONCILE_BINDING,
    RECONCILE_RESOURCES, /* the resources of an API group */
    RECONCILE_SCHEMA,
    RECONCILE_VERSION, /* of the server */
};

struct reconcile;
struct room;
struct worker;

/* All borrowed, for the life of the reconcile. */
struct reconcile_options {
    struct api *api;
    struct workqueue *queue; /* keys are names of policies */
    const struct store *policies;
    const struct bindings *bindings;
    struct cluster *cluster; /* the discovery and schemas; NULL for is_release, which needs none */
    struct dependents *dependents;
    struct types_options types;
    struct room *room;                    /* as worker_options */
    const struct labelselector *selector; /* the selector of policies; NULL for every policy */
    int also_check;                       /* 1.N, for the condition ValidOnNextVersion; 0: none */
    bool is_conditions_only;
    bool is_release; /* release what is ours on every policy, check nothing */
    size_t max_writes;
    bool is_standby;             /* documents are gathered, nothing is checked until worker_lead */
    struct metrics *metrics;     /* of metricfamilies_new; NULL: nothing is counted */
    struct events *events;       /* the sender of Events; NULL if none are sent */
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
/* Cancels running checks and requests. */
void reconcile_free(struct reconcile *reconcile);

/* The worker, which the owner steps, stops and leads. */
struct worker *reconcile_worker(const struct reconcile *reconcile);

/* Queues a policy: it, or something that it depends on, changed. */
void reconcile_add(struct reconcile *reconcile, const char *key, enum reconcile_cause cause);

/* Much work leaves unused memory, since each status makes its policy in the store larger. The pair gives it
 * back: is_untidy is true if there was work since the last call, so that more unused memory may come soon. */
bool reconcile_is_untidy(const struct reconcile *reconcile);
bool reconcile_tidy(struct reconcile *reconcile);

/* Cancels the work on a policy that was deleted. */
void reconcile_cancel(struct reconcile *reconcile, const char *key);

struct reconcile_counts reconcile_counts(const struct reconcile *reconcile);

/* The results of all policies. */
const struct policystats *reconcile_stats(const struct reconcile *reconcile);
/* The number of policies whose status the API server forbids us to write, or would forbid. */
size_t reconcile_forbidden(const struct reconcile *reconcile);

#endif
