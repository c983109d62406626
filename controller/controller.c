#include "controller/controller.h"

#include <assert.h>
#include <string.h>

#include "client/api.h"
#include "client/log.h"
#include "client/mem.h"
#include "client/reflector.h"
#include "controller/bindings.h"
#include "controller/cluster.h"
#include "controller/dependents.h"
#include "controller/reconcile.h"
#include "controller/workqueue.h"

/*
 * STARTING -- the cluster was read --> SYNCING (a release begins here)
 * SYNCING  -- every store has its first list --> RUNNING
 * each     -- controller_stop, a start that fails, a release that is done --> STOPPING
 * STOPPING -- no write is under way, or CONTROLLER_STOP_MS went by --> CLOSING
 * CLOSING  -- all is closed --> on_stopped
 */
enum controller_state {
    CONTROLLER_STARTING,
    CONTROLLER_SYNCING,
    CONTROLLER_RUNNING,
    CONTROLLER_STOPPING,
    CONTROLLER_CLOSING,
};

static const char *const state_names[] = {"starting", "syncing", "running", "stopping", "closing"};

/* ORDER WATCHES */
enum watch { WATCH_POLICIES, WATCH_BINDINGS, WATCH_CRDS, WATCH_APISERVICES, N_WATCHES };

static void on_policy(void *user, const struct store_object *now, const struct store_object *before);
static void on_binding(void *user, const struct store_object *now, const struct store_object *before);
static void on_definition(void *user, const struct store_object *now, const struct store_object *before);

/* ORDER WATCHES */
static const struct watch_kind {
    const char *name, *path;
    bool is_metadata_only;
    bool is_needed; /* without it there is no work; else the index is polled more slowly */
    store_on_change *on_change;
} watches[] = {
    {"policies", RECONCILE_POLICIES, false, true, on_policy},
    {"bindings", "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings", false, true,
     on_binding},
    {"crds", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", true, false, on_definition},
    {"apiservices", "/apis/apiregistration.k8s.io/v1/apiservices", true, false, on_definition},
};

struct controller {
    uv_loop_t *loop;
    struct controller_options options;
    enum controller_state state;
    uint64_t since_ms; /* of the state */

    struct api *api;
    struct cluster *cluster;
    struct reflector *reflectors[N_WATCHES];
    bool is_done_without[N_WATCHES]; /* said so */
    struct workqueue *queue;
    struct bindings *bindings;
    struct dependents *dependents;
    struct reconcile *reconcile;

    uv_idle_t pump;   /* one step a turn, while there is work */
    uv_timer_t due;   /* the next delayed work */
    uv_timer_t clock; /* SYNCING: looks after the first lists; STOPPING: the limit */

    bool has_failed;
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
    c->since_ms = uv_now(c->loop);
}

static void fail(struct controller *c, const struct err *err)
{
    if (c->state >= CONTROLLER_STOPPING)
        return;
    c->has_failed = true;
    c->failure = *err;
    stop(c);
}

/* Work */

static void on_pump(uv_idle_t *pump);

static void wake(struct controller *c)
{
    if (c->state == CONTROLLER_RUNNING)
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
    log_info(NULL, "%zu policies, %llu statuses released", store_count(reflector_store(c->reflectors[0])),
             (unsigned long long)counts.written);
    if (counts.refused == 0) {
        stop(c);
        return;
    }
    struct err err = {0};
    err_set(&err, ERR_FORBIDDEN, "%llu statuses could not be released", (unsigned long long)counts.refused);
    fail(c, &err);
}

static void on_pump(uv_idle_t *pump)
{
    struct controller *c = pump->data;
    uint64_t due_ms = 0, now_ms = uv_now(c->loop);
    if (reconcile_step(c->reconcile))
        return;
    uv_idle_stop(pump);
    if (reconcile_next_ms(c->reconcile, &due_ms))
        uv_timer_start(&c->due, on_due, due_ms > now_ms ? due_ms - now_ms : 1, 0);
    else if (c->options.is_release && workqueue_in_work(c->queue) == 0)
        finish_release(c);
}

static void requeue(void *user, const char *key)
{
    struct controller *c = user;
    /* a binding may name a policy that does not exist */
    if (store_get(reflector_store(c->reflectors[WATCH_POLICIES]), key) == NULL)
        return;
    workqueue_add(c->queue, key);
    wake(c);
}

/* What changes */

static void on_policy(void *user, const struct store_object *now, const struct store_object *before)
{
    struct controller *c = user;
    const char *key = now != NULL ? now->key : before->key;
    bool is_recreated = now != NULL && before != NULL && strcmp(now->uid, before->uid) != 0;
    if ((now == NULL || is_recreated) && c->reconcile != NULL)
        reconcile_cancel(c->reconcile, key);
    workqueue_add(c->queue, key);
    wake(c);
}

static void on_binding(void *user, const struct store_object *now, const struct store_object *before)
{
    struct controller *c = user;
    bindings_change(c->bindings, now, before, requeue, c);
}

/* Whether something called `name`, a resource or a version, is known to be served in the group. */
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

/* A CRD is called PLURAL.GROUP, an APIService VERSION.GROUP. Of those that are there at the start
 * only one that came after discovery was read is news. */
static void on_definition(void *user, const struct store_object *now, const struct store_object *before)
{
    struct controller *c = user;
    const char *key = now != NULL ? now->key : before->key;
    const char *dot = strchr(key, '.');
    if (dot == NULL)
        return;
    char *name = mem_strndup(key, (size_t)(dot - key));
    if (c->state == CONTROLLER_RUNNING ||
        (c->state == CONTROLLER_SYNCING && !is_served(cluster_discovery(c->cluster), dot + 1, name)))
        cluster_trigger(c->cluster, dot + 1);
    mem_free(name);
}

static void on_group(void *user, const char *group)
{
    struct controller *c = user;
    dependents_visit_group(c->dependents, group, requeue, c);
}

static void on_document(void *user, const char *path)
{
    struct controller *c = user;
    log_debug(path, "the schemas changed");
    dependents_visit_path(c->dependents, path, requeue, c);
}

static void requeue_object(void *user, const struct store_object *object)
{
    requeue(user, object->key);
}

static void on_version(void *user)
{
    struct controller *c = user;
    if (c->state == CONTROLLER_RUNNING)
        store_each(reflector_store(c->reflectors[WATCH_POLICIES]), requeue_object, c);
}

/* The start */

static void run(struct controller *c)
{
    uv_timer_stop(&c->clock);
    c->reconcile = reconcile_new(&(struct reconcile_options){
        .api = c->api,
        .queue = c->queue,
        .policies = reflector_store(c->reflectors[WATCH_POLICIES]),
        .bindings = c->bindings,
        .cluster = c->cluster,
        .dependents = c->dependents,
        .types = c->options.types,
        .selector = c->options.selector,
        .is_conditions_only = c->options.is_conditions_only,
        .is_release = c->options.is_release,
        .max_writes = c->options.max_writes,
        .on_wake = on_wake,
        .user = c,
    });
    enter(c, CONTROLLER_RUNNING);
    log_info(NULL, "ready: %zu policies", store_count(reflector_store(c->reflectors[WATCH_POLICIES])));
    wake(c);
}

/* Errors that waiting cures: the server goes on starting, the network comes back. */
static bool is_passing(const struct err *err)
{
    return err->code == ERR_NETWORK || err->code == ERR_TIMEOUT || err->code == ERR_UNAVAILABLE ||
           err->code == ERR_THROTTLED || err->code == ERR_GONE;
}

/* Whether this watch is as far as it has to be. After CONTROLLER_SYNC_MS a failure that stays ends
 * the start, or, of a watch that is not needed, is put up with. */
static bool is_settled(struct controller *c, enum watch w, struct err *err)
{
    struct reflector *r = c->reflectors[w];
    const struct err *problem = r == NULL ? NULL : reflector_error(r);
    if (r == NULL || reflector_has_synced(r))
        return true;
    if (problem == NULL || uv_now(c->loop) - c->since_ms < CONTROLLER_SYNC_MS)
        return false;
    if (watches[w].is_needed && (c->options.is_release || !is_passing(problem))) {
        *err = *problem;
        err_prefix(err, "cannot list %s", watches[w].name);
        return false;
    }
    if (!watches[w].is_needed && !c->is_done_without[w])
        log_warn(NULL, "going on without a watch of %s: %s", watches[w].name, problem->msg);
    c->is_done_without[w] = !watches[w].is_needed;
    return !watches[w].is_needed;
}

static void look_after_sync(struct controller *c)
{
    struct err err = {0};
    bool is_ready = true;
    if (c->state != CONTROLLER_SYNCING)
        return;
    for (enum watch w = 0; w < N_WATCHES && err.code == ERR_NONE; w++)
        is_ready = is_settled(c, w, &err) && is_ready;
    if (err.code != ERR_NONE)
        fail(c, &err);
    else if (is_ready)
        run(c);
}

static void on_clock_sync(uv_timer_t *timer)
{
    look_after_sync(timer->data);
}

static void on_synced(void *user)
{
    look_after_sync(user);
}

static void start_reflectors(struct controller *c)
{
    enum { LOOK_MS = 1000 };
    enter(c, CONTROLLER_SYNCING);
    for (enum watch w = 0; w < (c->options.is_release ? WATCH_BINDINGS : N_WATCHES); w++) {
        const struct reflector_options options = {
            .name = watches[w].name,
            .path = watches[w].path,
            .metadata_only = watches[w].is_metadata_only,
            .on_change = watches[w].on_change,
            .on_synced = on_synced,
            .user = c,
        };
        c->reflectors[w] = reflector_start(c->api, &options);
    }
    uv_timer_start(&c->clock, on_clock_sync, LOOK_MS, LOOK_MS);
}

static void on_cluster_ready(void *user)
{
    struct controller *c = user;
    if (c->state == CONTROLLER_STARTING)
        start_reflectors(c);
}

static void on_cluster_failed(void *user, const struct err *err)
{
    fail(user, err);
}

int controller_start(uv_loop_t *loop, const struct config *config, const struct controller_options *options,
                     void (*on_stopped)(void *user, const struct err *err), void *user,
                     struct controller **out, struct err *err)
{
    struct api *api = NULL;
    *out = NULL;
    if (api_new(loop, config, &(struct api_options){.program = options->program}, &api, err) != 0)
        return -1;
    struct controller *c = mem_zalloc(sizeof *c);
    c->loop = loop;
    c->options = *options;
    c->on_stopped = on_stopped;
    c->user = user;
    c->api = api;
    c->queue = workqueue_new();
    c->bindings = bindings_new();
    c->dependents = dependents_new();
    uv_idle_init(loop, &c->pump);
    uv_timer_init(loop, &c->due);
    uv_timer_init(loop, &c->clock);
    c->pump.data = c->due.data = c->clock.data = c;
    c->since_ms = uv_now(loop);
    log_info(NULL, "%s %s, server %s", options->program, VAPCHECK_VERSION, api_server(api));
    if (options->is_release)
        start_reflectors(c);
    else
        c->cluster = cluster_start(api, &(struct cluster_options){.on_ready = on_cluster_ready,
                                                                  .on_failed = on_cluster_failed,
                                                                  .on_group = on_group,
                                                                  .on_document = on_document,
                                                                  .on_version = on_version,
                                                                  .user = c});
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
    workqueue_free(c->queue);
    bindings_free(c->bindings);
    dependents_free(c->dependents);
    mem_free(c);
    on_stopped(stop_user, has_failed ? &failure : NULL);
}

/* What uses the api goes before it. */
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
    reconcile_free(c->reconcile);
    c->to_close = 1;
    for (size_t i = 0; i < sizeof handles / sizeof handles[0]; i++) {
        c->to_close++;
        uv_close(handles[i], on_handle_closed);
    }
    for (enum watch w = 0; w < N_WATCHES; w++) {
        if (c->reflectors[w] == NULL)
            continue;
        c->to_close++;
        reflector_close(c->reflectors[w], on_part_closed, c);
    }
    if (c->cluster != NULL) {
        c->to_close++;
        cluster_close(c->cluster, on_part_closed, c);
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
static void on_writes_done(void *user)
{
    struct controller *c = user;
    uv_timer_start(&c->clock, on_clock_idle, 0, 0);
}

static void stop(struct controller *c)
{
    enter(c, CONTROLLER_STOPPING);
    uv_idle_stop(&c->pump);
    uv_timer_stop(&c->due);
    uv_timer_stop(&c->clock);
    if (c->reconcile == NULL || reconcile_stop(c->reconcile, on_writes_done, c))
        on_writes_done(c);
    else
        uv_timer_start(&c->clock, on_clock_stop, CONTROLLER_STOP_MS, 0);
}

void controller_stop(struct controller *controller)
{
    if (controller->state >= CONTROLLER_STOPPING)
        return;
    log_info(NULL, "stopping");
    stop(controller);
}
