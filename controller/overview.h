/*
 * overview: the state of the daemon's parts as gauges, when /metrics is
 * requested, and as health checks, when a probe comes.
 *
 * Made for one answer; every pointer is borrowed for the call.
 *
 *     const struct overview o = {.cluster = cluster, .watches = watches, ...};
 *     overview_scrape(&o, metrics);
 */
#ifndef CONTROLLER_OVERVIEW_H
#define CONTROLLER_OVERVIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "client/leader/election.h"
#include "controller/observe/health.h"
#include "controller/observe/metricfamilies.h"
#include "controller/observe/metrics.h"
#include "controller/reconcile/advise.h"
#include "controller/reconcile/cluster.h"
#include "controller/reconcile/reconcile.h"
#include "controller/reconcile/watches.h"

struct overview {
    uint64_t now_ms; /* uv_now */
    const struct cluster *cluster;
    const struct watches *watches;
    const struct metricfamilies_queue *queue;
    const struct election *election; /* the election of a leader; NULL if there is none */
    const char *lease_name;
    const struct reconcile *reconcile; /* the checks of policies; NULL before the first work */
    const struct advise *advise;       /* the same */
    unsigned kinds;                    /* a sum of ADVISEDKIND_BIT: the kinds that flags ask for */
    bool is_stopping;
};

void overview_scrape(const struct overview *overview, struct metrics *metrics);
void overview_health(const struct overview *overview, struct health *health);

#endif
