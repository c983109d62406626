/*
 * endpoints: the daemon's HTTP pages: /metrics, /healthz, /livez, /readyz.
 *
 * It owns the registry of metrics and measures the loop's turns. When a page is
 * requested it asks its owner for the gauges or the health checks. Metrics and
 * health have one address, or one each.
 *
 *     if (endpoints_start(loop, &options, &endpoints, &err) != 0) ...
 *     metrics_add(endpoints_metrics(endpoints), ...);
 *     endpoints_close(endpoints, on_closed, user);
 */
#ifndef CONTROLLER_OBSERVE_ENDPOINTS_H
#define CONTROLLER_OBSERVE_ENDPOINTS_H

#include <uv.h>

#include "client/base/err.h"
#include "controller/observe/health.h"
#include "controller/observe/metrics.h"

/* The metrics have no authentication: only in a pod can other machines ask for them without a flag. */
#define ENDPOINTS_ADDRESS_IN_POD  ":8080"
#define ENDPOINTS_ADDRESS_OUTSIDE "127.0.0.1:8080"

struct endpoints;

struct endpoints_options {
    const char *metrics_address; /* as serve.h has it; "0": none */
    /* The address of the probes; NULL or the same if they are beside the metrics. */
    const char *health_address;
    void (*on_scrape)(void *user, struct metrics *metrics); /* the owner sets the gauges */
    void (*on_health)(void *user, struct health *health);   /* the owner adds the checks */
    void *user;
};

/* No callback comes before this returns. Addresses are borrowed for the call. Errors: INVALID, NETWORK. */
int endpoints_start(uv_loop_t *loop, const struct endpoints_options *options, struct endpoints **out,
                    struct err *err) MUST_CHECK;
/* First answers requests that have arrived, so what on_scrape and on_health read must still exist. Afterwards
 * no callback comes but on_closed; then the monitor and its metrics are freed. */
void endpoints_close(struct endpoints *monitor, void (*on_closed)(void *user), void *user);

struct metrics *endpoints_metrics(struct endpoints *monitor);

#endif
