#include "controller/controller.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "client/base/due.h"
#include "client/base/log.h"
#include "client/base/mem.h"
#include "client/base/timer.h"
#include "client/cache/workqueue.h"
#include "client/leader/election.h"
#include "client/rest/api.h"
#include "controller/observe/endpoints.h"
#include "controller/observe/events.h"
#include "controller/observe/metricfamilies.h"
#include "controller/overview.h"
#include "controller/reconcile/advise.h"
#include "controller/reconcile/bindings.h"
#include "controller/reconcile/cluster.h"
#include "controller/reconcile/dependents.h"
#include "controller/reconcile/reconcile.h"
#include "controller/reconcile/room.h"
#include "controller/reconcile/watches.h"
#include "controller/reconcile/worker.h"
#include "controller/status/status.h"

/*
 * STARTING -- the cluster was read --> SYNCING (a release begins here)
 * SYNCING  -- every store has its first list --> STANDBY, or RUNNING where there is no election
 * STANDBY  -- documents are gathered; we hold the lease --> RUNNING
 * each     -- controller_stop, a start that fails, a release that is done, the lease is lost --> STOPPING
 * STOPPING -- no write is under way and the lease is released, CONTROLLER_STOP_MS went by, or it is
 *             lost --> CLOSING
 * CLOSING  -- all is closed --> on_stopped
 */
enum controller_state {
    CONTROLLER_STARTING,
    CONTROLLER_SYNCING,
    CONTROLLER_STANDBY,
    CONTROLLER_RUNNING,
    CONTROLLER_STOPPING,
    CONTROLLER_CLOSING,
};

static const char *const state_names[] = {
    [CONTROLLER_STARTING] = "starting", [CONTROLLER_SYNCING] = "syncing",   [CONTROLLER_STANDBY] = "standby",
    [CONTROLLER_RUNNING] = "running",   [CONTROLLER_STOPPING] = "stopping", [CONTROLLER_CLOSING] = "closing",
};

struct controller {
    uv_loop_t *loop;
    struct controller_options options;
    enum controller_state state;

    struct endpoints *endpoints; /* the server of metrics and probes; NULL for a release of statuses */
    struct api *api;
    struct election *election; /* the election of a leader; NULL if there is none */
    struct cluster *cluster;
    struct watches *watches;
    struct workqueue *queue;
    struct metricfamilies_queue observed; /* the queue */
    struct bindings *bindings;
    struct dependents *dependents;
    struct events *events; /* the sender of Events; NULL for a release of statuses */
    struct reconcile *reconcile;
    /* The check of other objects than policies; NULL if it has not begun, and for a release. */
    struct advise *advise;
    struct worker *workers[2]; /* the workers of these two, in this order */
    size_t n_workers, next_to_resume;
    char host[256]; /* the pod's name, where there is one */

    uv_idle_t pump;   /* one step a turn, while there is work */
    struct room room; /* the room for the checks of reconcile and advise */
    uv_timer_t due;   /* the next delayed work */
    uv_timer_t clock; /* SYNCING: looks after the first lists; STOPPING: the limit; between: tidies */

    bool has_failed, is_lost; /* is_lost: the lease */
    struct err failure;
    unsigned to_close;
    void (*on_stopped)(void *user, const struct err *err);
    void *user;
};

static void stop(struct controller *c);

static void enter(struct controller *c, enum controller_state state)
{
    assert(state > c->state);
    log_debug(NULL, "controller: %s -> %s", state_names[c->state], state_names[state]);
    c->state = state;
}

static void fail(struct controller *c, const struct err *err)
{
    if (c->state >= CONTROLLER_STOPPING)
        return;
    c->has_failed = true;
    c->failure = *err;
    stop(c);
}

/* Returns NULL if nothing is counted. */
static struct metrics *metrics_of(const struct controller *c)
{
    return c->endpoints == NULL ? NULL : endpoints_metrics(c->endpoints);
}

static const struct store *policies(const struct controller *c)
{
    return watches_store(c->watches, WATCHES_POLICIES);
}

/* Work */

static void on_pump(uv_idle_t *pump);

/* Returns true if changes are looked at; a standby only gathers the documents that it will need. */
static bool is_working(const struct controller *c)
{
    return c->state == CONTROLLER_STANDBY || c->state == CONTROLLER_RUNNING;
}

static void wake(struct controller *c)
{
    if (is_working(c))
        uv_idle_start(&c->pump, on_pump);
}

static void on_wake(void *user)
{
    wake(user);
}

static void on_due(uv_timer_t *timer)
{
    wake(timer->data);
}

static void finish_release(struct controller *c)
{
    struct reconcile_counts counts = reconcile_counts(c->reconcile);
    log_info(NULL, "%zu policies, %llu statuses released", store_count(policies(c)),
             (unsigned long long)counts.written);
    struct err err = {0};
    if (counts.contested > 0)
        err_set(&err, ERR_CONFLICT,
                "%llu statuses could not be released: a controller that still runs writes them again, as the "
                "field manager " STATUS_MANAGER,
                (unsigned long long)counts.contested);
    else if (counts.refused > 0)
        err_set(&err, ERR_FORBIDDEN, "%llu statuses could not be released",
                (unsigned long long)counts.refused);
    if (err.code == ERR_NONE)
        stop(c);
    else
        fail(c, &err);
}

/* A later slice of a check, in turn of a policy's and of another object's. */
static bool resume(struct controller *c)
{
    c->next_to_resume = (c->next_to_resume + 1) % c->n_workers;
    return worker_resume(c->workers[c->next_to_resume]) ||
           worker_resume(c->workers[(c->next_to_resume + 1) % c->n_workers]);
}

/* A first slice; policies go before all else. */
static bool step(struct controller *c)
{
    for (size_t i = 0; i < c->n_workers; i++) {
        if (worker_step(c->workers[i]))
            return true;
    }
    return false;
}

static uint64_t next_ms(const struct controller *c)
{
    uint64_t ms = DUE_NEVER;
    for (size_t i = 0; i < c->n_workers; i++)
        ms = due_first(ms, worker_next_ms(c->workers[i]));
    return ms;
}

/* The time between two tidyings after work. They end when there was no work for this time. */
enum { TIDY_MS = 2000 };

static void on_clock_tidy(uv_timer_t *timer)
{
    const struct controller *c = timer->data;
    if (!reconcile_tidy(c->reconcile))
        uv_timer_stop(timer);
}

static void tidy_later(struct controller *c)
{
    if (c->state < CONTROLLER_STOPPING && reconcile_is_untidy(c->reconcile) &&
        !uv_is_active((const uv_handle_t *)&c->clock))
        timer_start(&c->clock, on_clock_tidy, TIDY_MS, TIDY_MS);
}

/* First slices of checks go before later ones. */
static void on_pump(uv_idle_t *pump)
{
    struct controller *c = pump->data;
    if (step(c) || resume(c))
        return;
    uv_idle_stop(pump);
    tidy_later(c);
    events_resume(c->events);
    const uint64_t due_ms = next_ms(c), now_ms = uv_now(c->loop);
    if (due_ms != DUE_NEVER)
        timer_start(&c->due, on_due, due_ms > now_ms ? due_ms - now_ms : 1, 0);
    else if (c->options.is_release && workqueue_in_work(c->queue) == 0)
        finish_release(c);
}

/* The cause for which policies that an index names are checked again. */
struct requeue {
    struct controller *controller;
    enum reconcile_cause cause;
};

/* Nothing is queued before the work begins: it begins with every policy. */
static void requeue(void *user, const char *key)
{
    const struct requeue *why = user;
    struct controller *c = why->controller;
    /* a binding may name a policy that does not exist */
    if (is_working(c) && store_get(policies(c), key) != NULL)
        reconcile_add(c->reconcile, key, why->cause);
}

/* Changes */

static void requeue_binding(void *user, const char *name)
{
    const struct controller *c = user;
    advise_on_policy(c->advise, name);
}

static void on_policy(struct controller *c, const struct store_object *now, const struct store_object *before)
{
    const char *key = now != NULL ? now->key : before->key;
    bool is_recreated = now != NULL && before != NULL && strcmp(now->uid, before->uid) != 0;
    /* its status may be another, which says nothing to a binding */
    bool is_same = now != NULL && before != NULL && !is_recreated && now->generation == before->generation;
    if (!is_working(c))
        return;
    if (c->advise != NULL && !is_same)
        bindings_visit(c->bindings, key, requeue_binding, c);
    if (now == NULL || is_recreated)
        reconcile_cancel(c->reconcile, key);
    reconcile_add(c->reconcile, key, RECONCILE_POLICY);
}

static void on_binding(struct controller *c, const struct store_object *now,
                       const struct store_object *before)
{
    struct requeue why = {c, RECONCILE_BINDING};
    bindings_change(c->bindings, now, before, requeue, &why);
}

/* Returns true if something called `name`, a resource or a version, is known to be served in the group. */
static bool is_served(const struct discovery *discovery, const char *group, const char *name)
{
    const struct discovery_group *g = discovery_find_group(discovery, group);
    for (size_t i = 0; g != NULL && i < g->n_versions; i++) {
        const struct discovery_version *v = &g->versions[i];
        if (strcmp(v->version, name) == 0)
            return true;
        for (size_t j = 0; j < v->n_resources; j++) {
            if (strcmp(v->resources[j].name, name) == 0)
                return true;
        }
    }
    return false;
}

/* A CRD is called PLURAL.GROUP, an APIService VERSION.GROUP. If it is there at the start, it is news only if
 * it came after discovery was read. */
static void on_definition(struct controller *c, const struct store_object *now,
                          const struct store_object *before)
{
    const char *key = now != NULL ? now->key : before->key;
    const char *dot = strchr(key, '.');
    if (dot == NULL)
        return;
    char *name = mem_strndup(key, (size_t)(dot - key));
    if (c->state == CONTROLLER_STANDBY || c->state == CONTROLLER_RUNNING ||
        (c->state == CONTROLLER_SYNCING && !is_served(cluster_discovery(c->cluster), dot + 1, name)))
        cluster_trigger(c->cluster, dot + 1);
    mem_free(name);
}

static void on_change(void *user, enum watches_id id, const struct store_object *now,
                      const struct store_object *before)
{
    struct controller *c = user;
    enum advisedkind_id kind;
    if (id == WATCHES_POLICIES)
        on_policy(c, now, before);
    else if (id == WATCHES_BINDINGS)
        on_binding(c, now, before);
    else if (id == WATCHES_CRDS || id == WATCHES_APISERVICES)
        on_definition(c, now, before);
    if (c->advise != NULL && advisedkind_of_watch(id, &kind))
        advise_change(c->advise, kind, now, before);
}

static void on_dropped(void *user, enum watches_id id)
{
    struct controller *c = user;
    enum advisedkind_id kind;
    if (c->advise != NULL && advisedkind_of_watch(id, &kind))
        advise_drop(c->advise, kind);
}

static void on_group(void *user, const char *group)
{
    struct controller *c = user;
    struct requeue why = {c, RECONCILE_RESOURCES};
    dependents_visit_group(c->dependents, group, requeue, &why);
    if (c->state > CONTROLLER_STARTING && c->state < CONTROLLER_STOPPING)
        watches_serve(c->watches, cluster_discovery(c->cluster));
    if (c->advise != NULL)
        advise_on_group(c->advise, group);
}

static bool is_document_needed(void *user, const char *path)
{
    const struct controller *c = user;
    return dependents_have_path(c->dependents, path) ||
           (c->advise != NULL && advise_needs_document(c->advise, path));
}

static void on_document(void *user, const char *path)
{
    struct controller *c = user;
    struct requeue why = {c, RECONCILE_SCHEMA};
    log_debug(path, "the schemas changed");
    dependents_visit_path(c->dependents, path, requeue, &why);
    if (c->advise != NULL)
        advise_on_document(c->advise, path);
}

static void requeue_object(void *user, const struct store_object *object)
{
    requeue(user, object->key);
}

static void requeue_all(struct controller *c, enum reconcile_cause cause)
{
    struct requeue why = {c, cause};
    store_each(policies(c), requeue_object, &why);
}

static void on_version(void *user)
{
    struct controller *c = user;
    if (is_working(c))
        requeue_all(c, RECONCILE_VERSION);
    if (c->advise != NULL)
        advise_on_version(c->advise);
}

/* The start */

static void make_advise(struct controller *c)
{
    c->advise = advise_new(&(struct advise_options){
        .api = c->api,
        .watches = c->watches,
        .cluster = c->cluster,
        .kinds = c->options.kinds | ADVISEDKIND_BIT(ADVISEDKIND_BINDINGS),
        .has_find_params = c->options.has_find_params,
        .types = c->options.types,
        .room = &c->room,
        .selector = c->options.selector,
        .is_standby = c->election != NULL,
        .metrics = metrics_of(c),
        .events = c->events,
        .on_wake = on_wake,
        .user = c,
    });
    c->workers[c->n_workers++] = advise_worker(c->advise);
}

static void make_workers(struct controller *c)
{
    c->reconcile = reconcile_new(&(struct reconcile_options){
        .api = c->api,
        .queue = c->queue,
        .policies = policies(c),
        .bindings = c->bindings,
        .cluster = c->cluster,
        .dependents = c->dependents,
        .types = c->options.types,
        .also_check = c->options.also_check,
        .room = &c->room,
        .selector = c->options.selector,
        .is_conditions_only = c->options.is_conditions_only,
        .is_release = c->options.is_release,
        .max_writes = c->options.max_writes,
        .is_standby = c->election != NULL,
        .metrics = metrics_of(c),
        .events = c->events,
        .on_wake = on_wake,
        .user = c,
    });
    c->workers[c->n_workers++] = reconcile_worker(c->reconcile);
    if (!c->options.is_release)
        make_advise(c);
}

/* It begins with every object. */
static void begin_work(struct controller *c, enum controller_state state)
{
    enter(c, state);
    requeue_all(c, RECONCILE_POLICY);
    if (c->advise != NULL)
        advise_start(c->advise);
    wake(c);
}

/* The caches are filled, so that a process that waits for the lease can begin at once. */
static void get_ready(struct controller *c)
{
    uv_timer_stop(&c->clock);
    log_info(NULL, "ready: %zu policies", store_count(policies(c)));
    make_workers(c);
    if (c->election == NULL) {
        begin_work(c, CONTROLLER_RUNNING);
        return;
    }
    begin_work(c, CONTROLLER_STANDBY);
    election_start(c->election);
}

static void on_leading(void *user)
{
    struct controller *c = user;
    if (c->state != CONTROLLER_STANDBY)
        return;
    for (size_t i = 0; i < c->n_workers; i++)
        worker_lead(c->workers[i]);
    begin_work(c, CONTROLLER_RUNNING);
}

static void look_after_sync(struct controller *c)
{
    struct err err = {0};
    if (c->state != CONTROLLER_SYNCING)
        return;
    bool is_ready = watches_are_settled(c->watches, &err);
    if (err.code != ERR_NONE)
        fail(c, &err);
    else if (is_ready)
        get_ready(c);
}

static void on_clock_sync(uv_timer_t *timer)
{
    look_after_sync(timer->data);
}

static void on_synced(void *user)
{
    look_after_sync(user);
}

static void start_watches(struct controller *c)
{
    enum { LOOK_MS = 1000 };
    enter(c, CONTROLLER_SYNCING);
    watches_start(c->watches, c->cluster == NULL ? NULL : cluster_discovery(c->cluster));
    timer_start(&c->clock, on_clock_sync, LOOK_MS, LOOK_MS);
}

static void on_cluster_ready(void *user)
{
    struct controller *c = user;
    if (c->state == CONTROLLER_STARTING)
        start_watches(c);
}

static void on_cluster_failed(void *user, const struct err *err)
{
    fail(user, err);
}

/* The view for others */

static struct overview make_overview(const struct controller *c)
{
    return (struct overview){
        .now_ms = uv_now(c->loop),
        .cluster = c->cluster,
        .watches = c->watches,
        .queue = &c->observed,
        .election = c->election,
        .lease_name = c->options.election.name,
        .reconcile = c->reconcile,
        .advise = c->advise,
        .kinds = c->options.kinds,
        .is_stopping = c->state >= CONTROLLER_STOPPING,
    };
}

static void on_scrape(void *user, struct metrics *metrics)
{
    const struct overview overview = make_overview(user);
    overview_scrape(&overview, metrics);
}

static void on_health(void *user, struct health *health)
{
    const struct overview overview = make_overview(user);
    overview_health(&overview, health);
}

static void on_exchange(void *user, const struct api_exchange *exchange)
{
    metricfamilies_count_exchange(metrics_of(user), exchange);
}

/* Statuses go before Events. */
static bool has_waiting_policies(void *user)
{
    const struct controller *c = user;
    return workqueue_depth(c->queue) > 0;
}

static int start_endpoints(struct controller *c, struct err *err)
{
    const struct endpoints_options options = {
        .metrics_address = c->options.metrics_address,
        .health_address = c->options.health_address,
        .on_scrape = on_scrape,
        .on_health = on_health,
        .user = c,
    };
    if (c->options.is_release)
        return 0;
    if (endpoints_start(c->loop, &options, &c->endpoints, err) != 0)
        return -1;
    metricfamilies_observe_queue(&c->observed, endpoints_metrics(c->endpoints), c->queue, "policies");
    (void)gethostname(c->host, sizeof c->host - 1);
    c->events = events_new(&(struct events_options){.api = c->api,
                                                    .metrics = endpoints_metrics(c->endpoints),
                                                    .instance = c->host,
                                                    .is_busy = has_waiting_policies,
                                                    .user = c});
    return 0;
}

static void free_parts(struct controller *c)
{
    workqueue_free(c->queue);
    bindings_free(c->bindings);
    dependents_free(c->dependents);
    mem_free(c);
}

static void free_unstarted(void *user)
{
    free_parts(user);
}

static void on_lost(void *user, const struct err *err);

static uint64_t left_ms(void *user)
{
    const struct controller *c = user;
    if (c->election != NULL)
        return election_left_ms(c->election);
    return c->is_lost ? 0 : UINT64_MAX;
}

static bool is_asked(const struct controller *c, enum advisedkind_id kind)
{
    return (c->options.kinds & ADVISEDKIND_BIT(kind)) != 0;
}

static struct watches *make_watches(struct controller *c)
{
    struct watches_options options = {
        .api = c->api,
        .is_policies_only = c->options.is_release,
        .on_change = on_change,
        .on_synced = on_synced,
        .on_dropped = on_dropped,
        .user = c,
    };
    for (size_t i = 0; i < ADVISEDKIND_COUNT; i++) {
        if (is_asked(c, (enum advisedkind_id)i))
            options.asked |= WATCHES_BIT(advisedkind_row((enum advisedkind_id)i)->watch);
    }
    return watches_new(&options);
}

static void start_election(struct controller *c)
{
    struct election_options options = c->options.election;
    options.on_leading = on_leading;
    options.on_lost = on_lost;
    options.user = c;
    c->election = election_new(c->api, &options);
}

int controller_start(uv_loop_t *loop, const struct config *config, const struct controller_options *options,
                     void (*on_stopped)(void *user, const struct err *err), void *user,
                     struct controller **out, struct err *err)
{
    struct controller *c = mem_zalloc(sizeof *c);
    const struct api_options api_options = {
        .program = options->program, .on_exchange = on_exchange, .left_ms = left_ms, .user = c};
    *out = NULL;
    if (api_new(loop, config, &api_options, &c->api, err) != 0) {
        mem_free(c);
        return -1;
    }
    c->loop = loop;
    c->options = *options;
    c->on_stopped = on_stopped;
    c->user = user;
    c->queue = workqueue_new();
    c->bindings = bindings_new();
    c->dependents = dependents_new();
    if (start_endpoints(c, err) != 0) {
        api_close(c->api, free_unstarted, c);
        return -1;
    }
    c->watches = make_watches(c);
    uv_idle_init(loop, &c->pump);
    uv_timer_init(loop, &c->due);
    uv_timer_init(loop, &c->clock);
    c->pump.data = c->due.data = c->clock.data = c;
    log_info(NULL, "%s %s, server %s", options->program, VAPCHECK_VERSION, api_server(c->api));
    if (options->is_elected)
        start_election(c);
    if (options->is_release)
        start_watches(c);
    else
        c->cluster = cluster_start(c->api, &(struct cluster_options){.on_ready = on_cluster_ready,
                                                                     .on_failed = on_cluster_failed,
                                                                     .on_group = on_group,
                                                                     .on_document = on_document,
                                                                     .is_document_needed = is_document_needed,
                                                                     .on_version = on_version,
                                                                     .user = c,
                                                                     .cel_go = options->cel_go});
    *out = c;
    return 0;
}

/* The end */

static void on_api_closed(void *user)
{
    struct controller *c = user;
    struct err failure = c->failure;
    bool has_failed = c->has_failed;
    void (*on_stopped)(void *stop_user, const struct err *err) = c->on_stopped;
    void *stop_user = c->user;
    free_parts(c);
    on_stopped(stop_user, has_failed ? &failure : NULL);
}

/* Everything that uses the api is closed before it. */
static void closed_one(struct controller *c)
{
    if (--c->to_close == 0)
        api_close(c->api, on_api_closed, c);
}

static void on_handle_closed(uv_handle_t *handle)
{
    closed_one(handle->data);
}

static void on_part_closed(void *user)
{
    closed_one(user);
}

static void close_all(struct controller *c)
{
    uv_handle_t *handles[] = {(uv_handle_t *)&c->pump, (uv_handle_t *)&c->due, (uv_handle_t *)&c->clock};
    enter(c, CONTROLLER_CLOSING);
    if (c->reconcile != NULL) {
        struct reconcile_counts counts = reconcile_counts(c->reconcile);
        log_info(NULL, "stopped: %llu checks, %llu statuses applied", (unsigned long long)counts.checked,
                 (unsigned long long)counts.written);
    }
    if (c->advise != NULL)
        log_info(NULL, "stopped: %llu other checks", (unsigned long long)advise_count(c->advise));
    c->to_close = 2;
    if (c->endpoints != NULL) { /* first: the last requests are answered from what follows */
        c->to_close++;
        endpoints_close(c->endpoints, on_part_closed, c);
        c->endpoints = NULL;
    }
    advise_free(c->advise);
    c->advise = NULL;
    reconcile_free(c->reconcile);
    c->reconcile = NULL;
    events_free(c->events);
    c->events = NULL;
    for (size_t i = 0; i < sizeof handles / sizeof handles[0]; i++) {
        c->to_close++;
        uv_close(handles[i], on_handle_closed);
    }
    watches_close(c->watches, on_part_closed, c);
    if (c->cluster != NULL) {
        c->to_close++;
        cluster_close(c->cluster, on_part_closed, c);
    }
    if (c->election != NULL) {
        c->to_close++;
        election_close(c->election, on_part_closed, c);
        c->election = NULL;
    }
    closed_one(c);
}

static void on_clock_idle(uv_timer_t *timer)
{
    close_all(timer->data);
}

static void on_clock_stop(uv_timer_t *timer)
{
    log_warn(NULL, "the last writes did not end in time");
    close_all(timer->data);
}

/* Closing begins in a turn of its own: we may be inside a callback of what is to be closed. */
static void close_soon(void *user)
{
    struct controller *c = user;
    timer_start(&c->clock, on_clock_idle, 0, 0);
}

static void on_writes_done(void *user)
{
    struct controller *c = user;
    uv_timer_stop(&c->clock);
    if (c->election != NULL && !c->is_lost)
        election_release(c->election, close_soon, c);
    else
        close_soon(c);
}

static void stop_work(struct controller *c)
{
    enter(c, CONTROLLER_STOPPING);
    uv_idle_stop(&c->pump);
    uv_timer_stop(&c->due);
    uv_timer_stop(&c->clock);
}

/* Nothing is waited for: the answer to a request under way may never arrive. */
static void on_lost(void *user, const struct err *err)
{
    struct controller *c = user;
    c->is_lost = c->has_failed = true;
    c->failure = *err;
    if (c->state < CONTROLLER_STOPPING)
        stop_work(c);
    close_soon(c);
}

static void stop(struct controller *c)
{
    stop_work(c);
    if (c->reconcile == NULL || worker_stop(c->workers[0], on_writes_done, c))
        on_writes_done(c);
    else
        timer_start(&c->clock, on_clock_stop, CONTROLLER_STOP_MS, 0);
}

void controller_stop(struct controller *controller)
{
    if (controller->state >= CONTROLLER_STOPPING)
        return;
    log_info(NULL, "stopping");
    stop(controller);
}
