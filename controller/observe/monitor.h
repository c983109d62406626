/*
 * monitor: what others see of the daemon: its metrics and its health, over
 * HTTP.
 *
 * It owns the registry, watches the loop's turns, and asks its owner for the
 * rest when somebody asks it. Metrics and health are on one address, or on one
 * each.
 *
 *     if (monitor_start(loop, &options, &monitor, &err) != 0) ...
 *     metrics_add(monitor_metrics(monitor), ...);
 *     monitor_close(monitor, on_closed, user);
 */
#ifndef CONTROLLER_OBSERVE_MONITOR_H
#define CONTROLLER_OBSERVE_MONITOR_H

#include <uv.h>

#include "client/base/err.h"
#include "controller/observe/health.h"
#include "controller/observe/metrics.h"

#define MONITOR_ADDRESS_DEFAULT ":8080"

struct monitor;

struct monitor_options {
    const char *metrics_address;                            /* as serve.h has it; "0": none */
    const char *health_address;                             /* NULL or the same: beside the metrics */
    void (*on_scrape)(void *user, struct metrics *metrics); /* gauges are to be set */
    void (*on_health)(void *user, struct health *health);   /* checks are to be added */
    void *user;
};

/* Never calls back before it returned. Addresses are borrowed for the call. Errors: INVALID, NETWORK. */
int monitor_start(uv_loop_t *loop, const struct monitor_options *options, struct monitor **out,
                  struct err *err) MUST_CHECK;
/* Answers what has arrived, inside the call: what on_scrape and on_health read must still be there. No
 * callback but on_closed afterwards; then the monitor and its metrics are freed. */
void monitor_close(struct monitor *monitor, void (*on_closed)(void *user), void *user);

struct metrics *monitor_metrics(struct monitor *monitor);

#endif
