#include "controller/observe/endpoints.h"

#include <string.h>

#include "client/base/log.h"
#include "client/base/mem.h"
#include "controller/observe/loopwatch.h"
#include "controller/observe/metricfamilies.h"
#include "controller/observe/serve.h"

#define METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"

struct endpoints {
    struct endpoints_options options;
    struct metrics *metrics;
    struct loopwatch loopwatch;
    struct serve *servers[2];
    unsigned to_close;
    void (*on_closed)(void *user);
    void *close_user;
};

static void on_metrics(void *user, const struct serve_request *request, struct serve_reply *reply)
{
    struct endpoints *m = user;
    (void)request;
    metricfamilies_read_process(m->metrics);
    metrics_set(m->metrics, METRICFAMILIES_LONGEST_TURN, NULL, loopwatch_longest_seconds(&m->loopwatch));
    m->options.on_scrape(m->options.user, m->metrics);
    reply->content_type = METRICS_TYPE;
    metrics_render(m->metrics, &reply->body);
}

static bool is_excluded(const void *user, const char *name)
{
    return serve_has(user, "exclude", name);
}

static void answer_probe(struct endpoints *m, enum health_probe probe, const struct serve_request *request,
                         struct serve_reply *reply)
{
    struct health health = {0};
    uint64_t turn_ms;
    bool is_stuck = loopwatch_is_stuck(&m->loopwatch, &turn_ms);
    health_add(&health, "ping", true, true, "%s", "");
    health_add(&health, "loop", true, !is_stuck,
               "one turn of the event loop, or several in a row, took too long: the last one %llu ms",
               (unsigned long long)turn_ms);
    m->options.on_health(m->options.user, &health);
    reply->status = health_render(&health, probe,
                                  &(struct health_query){.name = serve_rest(request),
                                                         .is_verbose = serve_has(request, "verbose", NULL),
                                                         .is_excluded = is_excluded,
                                                         .user = request},
                                  &reply->body);
}

static void on_healthz(void *user, const struct serve_request *request, struct serve_reply *reply)
{
    answer_probe(user, HEALTH_HEALTHZ, request, reply);
}

static void on_livez(void *user, const struct serve_request *request, struct serve_reply *reply)
{
    answer_probe(user, HEALTH_LIVE, request, reply);
}

static void on_readyz(void *user, const struct serve_request *request, struct serve_reply *reply)
{
    answer_probe(user, HEALTH_READY, request, reply);
}

/* Health first, so that either address takes a part of the table. */
static const struct serve_route routes[] = {
    {"/healthz", true, on_healthz},
    {"/livez", true, on_livez},
    {"/readyz", true, on_readyz},
    {"/metrics", false, on_metrics},
};

enum { N_HEALTH_ROUTES = 3, N_ROUTES = 4 };

static void on_turn(void *user, double seconds)
{
    struct endpoints *m = user;
    metrics_observe(m->metrics, METRICFAMILIES_TURN_TIME, NULL, seconds);
}

static int start_server(struct endpoints *m, uv_loop_t *loop, size_t index, const char *address, size_t first,
                        size_t end, struct err *err)
{
    const struct serve_options options = {.address = address,
                                          .routes = routes + first,
                                          .n_routes = end - first,
                                          .body_cap_bytes = METRICS_TEXT_CAP_BYTES,
                                          .user = m};
    if (serve_is_off(address))
        return 0;
    if (serve_start(loop, &options, &m->servers[index], err) != 0)
        return -1;
    log_info(NULL, "serving %s on %s",
             end - first == N_ROUTES ? "metrics and health"
             : first == 0            ? "health"
                                     : "metrics",
             serve_address(m->servers[index]));
    return 0;
}

static int start_servers(struct endpoints *m, uv_loop_t *loop, struct err *err)
{
    const char *metrics = m->options.metrics_address, *health = m->options.health_address;
    if (health == NULL || strcmp(metrics, health) == 0)
        return start_server(m, loop, 0, metrics, 0, N_ROUTES, err);
    if (start_server(m, loop, 0, metrics, N_HEALTH_ROUTES, N_ROUTES, err) != 0)
        return -1;
    return start_server(m, loop, 1, health, 0, N_HEALTH_ROUTES, err);
}

static void on_part_closed(void *user)
{
    struct endpoints *m = user;
    if (--m->to_close > 0)
        return;
    void (*on_closed)(void *user) = m->on_closed;
    void *close_user = m->close_user;
    metrics_free(m->metrics);
    mem_free(m);
    if (on_closed != NULL)
        on_closed(close_user);
}

void endpoints_close(struct endpoints *monitor, void (*on_closed)(void *user), void *user)
{
    monitor->on_closed = on_closed;
    monitor->close_user = user;
    monitor->to_close = 1;
    for (size_t i = 0; i < 2; i++) {
        if (monitor->servers[i] == NULL)
            continue;
        monitor->to_close++;
        serve_close(monitor->servers[i], on_part_closed, monitor);
    }
    loopwatch_close(&monitor->loopwatch, on_part_closed);
}

int endpoints_start(uv_loop_t *loop, const struct endpoints_options *options, struct endpoints **out,
                    struct err *err)
{
    struct endpoints *m = mem_zalloc(sizeof *m);
    *out = NULL;
    m->options = *options;
    m->metrics = metricfamilies_new();
    loopwatch_start(&m->loopwatch, loop, on_turn, m);
    if (start_servers(m, loop, err) != 0) {
        endpoints_close(m, NULL, NULL);
        return -1;
    }
    *out = m;
    return 0;
}

struct metrics *endpoints_metrics(struct endpoints *monitor)
{
    return monitor->metrics;
}
