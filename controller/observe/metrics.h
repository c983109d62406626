/*
 * metrics: counters, gauges and histograms with labels, and their text in
 * Prometheus' format. Pure: no clock, no I/O.
 *
 * A table lists the families of metrics; it is borrowed for the life of the
 * registry, and a family is named by its index. A family has a limit for its label
 * sets; above it, everything is counted under METRICS_OTHER. A family without
 * labels exists from the start, with value 0. A registry that is NULL counts
 * nothing.
 *
 *     struct metrics *m = metrics_new(families, N_FAMILIES);
 *     metrics_add(m, WRITES, METRICS_LABELS("applied"), 1);
 *     metrics_render(m, &text);
 */
#ifndef CONTROLLER_OBSERVE_METRICS_H
#define CONTROLLER_OBSERVE_METRICS_H

#include <stddef.h>

#include "client/base/buf.h"

enum {
    METRICS_LABELS_MAX = 4,
    METRICS_BOUNDS_MAX = 32,
    METRICS_LABEL_BYTES = 256,    /* of a label's value; the rest is cut off */
    METRICS_SERIES_DEFAULT = 100, /* label sets of a family */
    METRICS_TEXT_CAP_BYTES = 4 * 1024 * 1024,
};

/* The value of every label if a family is full. No name in Kubernetes begins with an underscore. */
#define METRICS_OTHER "_other"

#define METRICS_LABELS(...) ((const char *const[]){__VA_ARGS__})

enum metrics_kind { METRICS_COUNTER, METRICS_GAUGE, METRICS_HISTOGRAM };

struct metrics_family {
    const char *name, *help;
    enum metrics_kind kind;
    const char *labels[METRICS_LABELS_MAX]; /* up to the first NULL */
    const double *bounds;                   /* of a histogram's buckets, ascending, without +Inf */
    size_t n_bounds;
    size_t max_series; /* 0: METRICS_SERIES_DEFAULT */
};

struct metrics;

struct metrics *metrics_new(const struct metrics_family *families, size_t count);
void metrics_free(struct metrics *metrics);

/* labels: a value for each of the family's labels, in its order; NULL if it has none. */

/* Adds to a counter or gauge. */
void metrics_add(struct metrics *metrics, size_t family, const char *const *labels, double by);
/* Sets a gauge, or a counter that is counted elsewhere. */
void metrics_set(struct metrics *metrics, size_t family, const char *const *labels, double value);
/* Adds a value to a histogram. */
void metrics_observe(struct metrics *metrics, size_t family, const char *const *labels, double value);

/* Drops every label set of a family, for gauges that are built again with metrics_add. */
void metrics_clear(struct metrics *metrics, size_t family);

/* Writes text format 0.0.4: families in the order of the table, label sets in that of their first use. */
void metrics_render(const struct metrics *metrics, struct buf *out);

#endif
