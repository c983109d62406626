/*
 * telemetry: the table of the daemon's metrics. Names and labels that
 * Kubernetes' own components have are theirs, so that dashboards fit.
 *
 *     struct metrics *m = telemetry_new();
 *     metrics_add(m, TELEMETRY_CHECKS, METRICS_LABELS("policy"), 1);
 *     telemetry_read_process(m);
 */
#ifndef CONTROLLER_OBSERVE_TELEMETRY_H
#define CONTROLLER_OBSERVE_TELEMETRY_H

#include "client/queue/workqueue.h"
#include "client/rest/api.h"
#include "controller/observe/metrics.h"
#include "controller/observe/policystats.h"

/* ORDER TELEMETRY: its labels stand behind each. */
enum telemetry {
    TELEMETRY_QUEUE_ADDS,       /* name */
    TELEMETRY_QUEUE_DEPTH,      /* name */
    TELEMETRY_QUEUE_WAIT,       /* name */
    TELEMETRY_QUEUE_WORK,       /* name */
    TELEMETRY_QUEUE_UNFINISHED, /* name */
    TELEMETRY_QUEUE_LONGEST,    /* name */
    TELEMETRY_QUEUE_RETRIES,    /* name */
    TELEMETRY_REQUESTS,         /* code, method, host */
    TELEMETRY_REQUEST_TIME,     /* verb, host */
    TELEMETRY_LEADER,           /* name */
    TELEMETRY_BUILD,            /* version, commit */
    TELEMETRY_POLICIES,         /* result */
    TELEMETRY_WARNINGS,         /* policy */
    TELEMETRY_TYPES_CHECKED,
    TELEMETRY_TYPES_SKIPPED, /* reason */
    TELEMETRY_CHECKS,        /* trigger */
    TELEMETRY_CHECK_TIME,
    TELEMETRY_SCHEMA_AGE,
    TELEMETRY_WRITES,    /* result */
    TELEMETRY_REASSERTS, /* result */
    TELEMETRY_LEFT,      /* condition */
    TELEMETRY_FORBIDDEN,
    TELEMETRY_OBJECTS,           /* kind, result */
    TELEMETRY_OBJECT_WARNINGS,   /* kind, name */
    TELEMETRY_OBJECT_CHECKS,     /* kind, trigger */
    TELEMETRY_OBJECT_CHECK_TIME, /* kind */
    TELEMETRY_KIND_READABLE,     /* kind */
    TELEMETRY_EVENTS,            /* result */
    TELEMETRY_STORE_SYNCED,      /* resource */
    TELEMETRY_STORE_OBJECTS,     /* resource */
    TELEMETRY_STORE_LEFT_OUT,    /* resource */
    TELEMETRY_WATCH_SILENT,      /* resource */
    TELEMETRY_TURN_TIME,
    TELEMETRY_LONGEST_TURN,
    TELEMETRY_CPU,
    TELEMETRY_RESIDENT,
    TELEMETRY_HEAP,
    TELEMETRY_VIRTUAL,
    TELEMETRY_VIRTUAL_MAX,
    TELEMETRY_OPEN_FDS,
    TELEMETRY_MAX_FDS,
    TELEMETRY_START_TIME,
    TELEMETRY_COUNT,
};

/* Results of TELEMETRY_REASSERTS. */
#define TELEMETRY_SET_RIGHT "set_right"
#define TELEMETRY_GIVEN_UP  "given_up"

/* A queue and where it is counted. It stays where it is for as long as there is work in the queue. */
struct telemetry_queue {
    struct metrics *metrics;
    struct workqueue *queue;
    const char *name; /* the label; static */
};

/* The caller frees it with metrics_free. */
struct metrics *telemetry_new(void);

/* What is read when somebody asks for it. */
void telemetry_read_process(struct metrics *metrics);
void telemetry_read_queue(const struct telemetry_queue *observed, uint64_t now_ms);
void telemetry_read_tally(struct metrics *metrics, const struct policystats *tally);
/* Of objects beside policies: telemetry_begin_objects, then each kind's. */
void telemetry_begin_objects(struct metrics *metrics);
void telemetry_read_objects(struct metrics *metrics, const char *kind, const struct policystats *tally);

/* What is counted as it happens. */
void telemetry_observe_queue(struct telemetry_queue *out, struct metrics *metrics, struct workqueue *queue,
                             const char *name);
void telemetry_count_exchange(struct metrics *metrics, const struct api_exchange *exchange);
/* Of a status write; err NULL: it was applied. */
void telemetry_count_write(struct metrics *metrics, const struct err *err);

#endif
