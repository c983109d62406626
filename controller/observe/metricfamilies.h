/*
 * metricfamilies: the table of the daemon's metrics. If Kubernetes' own components
 * have the same metric, it has the same name and labels here, so that dashboards
 * fit.
 *
 *     struct metrics *m = metricfamilies_new();
 *     metrics_add(m, METRICFAMILIES_CHECKS, METRICS_LABELS("policy"), 1);
 *     metricfamilies_read_process(m);
 */
#ifndef CONTROLLER_OBSERVE_METRICFAMILIES_H
#define CONTROLLER_OBSERVE_METRICFAMILIES_H

#include "client/cache/workqueue.h"
#include "client/rest/api.h"
#include "controller/observe/metrics.h"
#include "controller/observe/policystats.h"

/* Each with its labels. */
enum metricfamilies {
    METRICFAMILIES_QUEUE_ADDS,       /* name */
    METRICFAMILIES_QUEUE_DEPTH,      /* name */
    METRICFAMILIES_QUEUE_WAIT,       /* name */
    METRICFAMILIES_QUEUE_WORK,       /* name */
    METRICFAMILIES_QUEUE_UNFINISHED, /* name */
    METRICFAMILIES_QUEUE_LONGEST,    /* name */
    METRICFAMILIES_QUEUE_RETRIES,    /* name */
    METRICFAMILIES_REQUESTS,         /* code, method, host */
    METRICFAMILIES_REQUEST_TIME,     /* verb, host */
    METRICFAMILIES_LEADER,           /* name */
    METRICFAMILIES_BUILD,            /* version, commit */
    METRICFAMILIES_POLICIES,         /* result */
    METRICFAMILIES_CONDITIONS,       /* condition, status */
    METRICFAMILIES_FINDINGS,         /* kind, id */
    METRICFAMILIES_WARNINGS,         /* policy */
    METRICFAMILIES_TYPES_CHECKED,
    METRICFAMILIES_TYPES_SKIPPED, /* reason */
    METRICFAMILIES_CHECKS,        /* trigger */
    METRICFAMILIES_CHECK_TIME,
    METRICFAMILIES_SCHEMA_AGE,
    METRICFAMILIES_DISCOVERY_WHOLE,
    METRICFAMILIES_WRITES,    /* result */
    METRICFAMILIES_REASSERTS, /* result */
    METRICFAMILIES_LEFT,      /* condition */
    METRICFAMILIES_FORBIDDEN,
    METRICFAMILIES_OBJECTS,           /* kind, result */
    METRICFAMILIES_OBJECT_WARNINGS,   /* kind, name */
    METRICFAMILIES_OBJECT_CHECKS,     /* kind, trigger */
    METRICFAMILIES_OBJECT_CHECK_TIME, /* kind */
    METRICFAMILIES_KIND_READABLE,     /* kind */
    METRICFAMILIES_EVENTS,            /* result */
    METRICFAMILIES_STORE_SYNCED,      /* resource */
    METRICFAMILIES_STORE_OBJECTS,     /* resource */
    METRICFAMILIES_STORE_LEFT_OUT,    /* resource */
    METRICFAMILIES_STORE_UNREADABLE,  /* resource */
    METRICFAMILIES_WATCH_SILENT,      /* resource */
    METRICFAMILIES_WATCH_FAILING,     /* resource */
    METRICFAMILIES_TURN_TIME,
    METRICFAMILIES_LONGEST_TURN,
    METRICFAMILIES_CPU,
    METRICFAMILIES_RESIDENT,
    METRICFAMILIES_HEAP,
    METRICFAMILIES_VIRTUAL,
    METRICFAMILIES_VIRTUAL_MAX,
    METRICFAMILIES_OPEN_FDS,
    METRICFAMILIES_MAX_FDS,
    METRICFAMILIES_START_TIME,
    METRICFAMILIES_COUNT,
};

/* Results of METRICFAMILIES_REASSERTS. */
#define METRICFAMILIES_SET_RIGHT "set_right"
#define METRICFAMILIES_GIVEN_UP  "given_up"

/* A queue and its metrics. It must not move while there is work in the queue. */
struct metricfamilies_queue {
    struct metrics *metrics;
    struct workqueue *queue;
    const char *name; /* the label; static */
};

/* The caller frees it with metrics_free. */
struct metrics *metricfamilies_new(void);

/* Sets the metrics of the process; to be called for each scrape. */
void metricfamilies_read_process(struct metrics *metrics);
void metricfamilies_read_queue(const struct metricfamilies_queue *observed, uint64_t now_ms);
void metricfamilies_read_tally(struct metrics *metrics, const struct policystats *tally);
/* Sets the metrics of other objects than policies: metricfamilies_begin_objects, then each kind. */
void metricfamilies_begin_objects(struct metrics *metrics);
void metricfamilies_read_objects(struct metrics *metrics, const char *kind, const struct policystats *tally);

/* Counts what happens to a queue. */
void metricfamilies_observe_queue(struct metricfamilies_queue *out, struct metrics *metrics,
                                  struct workqueue *queue, const char *name);
void metricfamilies_count_exchange(struct metrics *metrics, const struct api_exchange *exchange);
/* Counts a status write; err NULL: it was applied. */
void metricfamilies_count_write(struct metrics *metrics, const struct err *err);

#endif
