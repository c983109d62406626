#include "controller/reconcile/cluster.h"

#include <assert.h>
#include <string.h>

#include "client/base/backoff.h"
#include "client/base/keymap.h"
#include "client/base/log.h"
#include "client/base/mem.h"
#include "client/base/timer.h"
#include "client/discovery/announced.h"
#include "client/discovery/discovery_fetch.h"
#include "client/discovery/polled.h"
#include "controller/findings/kubeversion.h"
#include "controller/reconcile/discoverydiff.h"
#include "typecheck/schema.h"
#include "typecheck/version.h"

/*
 * VERSION   -- /version answered --> DISCOVERY
 * DISCOVERY -- discovery answered --> OPENAPI
 * OPENAPI   -- the index was read, or is refused for good --> READY: on_ready
 * each of these -- an error that stays, or that is there after CLUSTER_START_MS, or no answer
 *                  within CLUSTER_ANSWER_MS --> FAILED: on_failed
 * any       -- cluster_close --> CLOSING
 */
enum cluster_state {
    CLUSTER_VERSION,
    CLUSTER_DISCOVERY,
    CLUSTER_OPENAPI,
    CLUSTER_READY,
    CLUSTER_FAILED,
    CLUSTER_CLOSING,
};

static const char *const state_names[] = {"version", "discovery", "openapi", "ready", "failed", "closing"};

struct cluster {
    struct api *api;
    uv_loop_t *loop;
    struct cluster_options options;
    enum cluster_state state;
    uint64_t started_ms;

    struct env *env, *new_env; /* of stored and of new expressions */
    uint64_t env_revision;
    struct kubeversion version;
    struct api_call *version_call;
    struct polled version_poll;
    struct belief version_belief;
    int minor_seen; /* a minor that differs, awaiting a second reading; 0: none */

    uint64_t schemas_ms; /* when the index of schemas was read last */

    struct discovery *discovery;
    uint64_t discovery_revision;      /* it is another, or old, or no longer old */
    struct discovery *discovery_seen; /* one that differs, awaiting a second reading */
    struct discovery_call *discovery_call;
    struct polled discovery_poll;
    struct belief discovery_belief;
    struct announced announced;
    struct keymap misses; /* the groups that cluster_miss need not trigger again */
    bool was_triggered;
    uint64_t triggered_ms; /* the last one */
    uint64_t discovery_ms; /* when the last reading that did not fail began */

    struct openapi *openapi;
    struct holds holds; /* environments, discoveries and schemas that were replaced */

    struct backoff backoff;
    uv_timer_t retry;    /* of the start */
    uv_timer_t deadline; /* of the start */
    uv_timer_t version_due;
    uv_timer_t discovery_due;
    unsigned to_close;
    void (*on_closed)(void *user);
    void *close_user;
};

static const struct backoff_params start_backoff = {.base_ms = 200, .cap_ms = 2000, .jitter = 0.2};

static void read_version(struct cluster *c);
static void read_discovery(struct cluster *c);

static void enter(struct cluster *c, enum cluster_state state)
{
    assert(state == CLUSTER_CLOSING || (state == CLUSTER_FAILED && c->state < CLUSTER_READY) ||
           (state < CLUSTER_FAILED && state == c->state + 1));
    log_debug(NULL, "cluster: %s -> %s", state_names[c->state], state_names[state]);
    c->state = state;
}

static uint64_t now_ms(const struct cluster *c)
{
    return uv_now(c->loop);
}

/* The start */

static void stop_asking(struct cluster *c)
{
    api_cancel(c->version_call);
    c->version_call = NULL;
    if (c->discovery_call != NULL)
        discovery_cancel(c->discovery_call);
    c->discovery_call = NULL;
}

static void fail(struct cluster *c, const struct err *err)
{
    enter(c, CLUSTER_FAILED);
    stop_asking(c);
    uv_timer_stop(&c->retry);
    uv_timer_stop(&c->deadline);
    c->options.on_failed(c->options.user, err);
}

static void on_retry(uv_timer_t *timer)
{
    struct cluster *c = timer->data;
    if (c->state == CLUSTER_VERSION)
        read_version(c);
    else if (c->state == CLUSTER_DISCOVERY)
        read_discovery(c);
}

/* The object that a step reads, and the right that it takes. */
struct reading {
    const char *what, *paths, *role;
};

static const struct reading version_reading = {"the server's version", "/version",
                                               "system:public-info-viewer"};
static const struct reading discovery_reading = {"what the server serves", "/api and /apis",
                                                 "system:discovery"};
static const struct reading index_reading = {"the OpenAPI index", "/openapi/v3", "system:discovery"};

static void explain(struct err *why, const struct reading *reading)
{
    if (why->code == ERR_FORBIDDEN)
        err_prefix(why, "the account needs the right to get %s (ClusterRole %s)", reading->paths,
                   reading->role);
    err_prefix(why, "cannot read %s", reading->what);
}

static void start_failed(struct cluster *c, const struct err *err, const struct reading *reading)
{
    struct err why = *err;
    explain(&why, reading);
    if (!err_is_retriable(err) || now_ms(c) - c->started_ms >= CLUSTER_START_MS) {
        fail(c, &why);
        return;
    }
    log_warn(NULL, "%s; trying again", why.msg);
    timer_start(&c->retry, on_retry, backoff_next(&c->backoff, now_ms(c)), 0);
}

/* The answer that a step waits for does not come. */
static void on_deadline(uv_timer_t *timer)
{
    struct cluster *c = timer->data;
    struct err err = {0};
    err_set(&err, ERR_TIMEOUT, "no answer to %s from %s within %d s",
            c->state == CLUSTER_VERSION     ? "/version"
            : c->state == CLUSTER_DISCOVERY ? "discovery"
                                            : "the OpenAPI index",
            api_server(c->api), CLUSTER_ANSWER_MS / 1000);
    fail(c, &err);
}

/* Each step has the whole time. */
static void start_step(struct cluster *c, enum cluster_state state)
{
    enter(c, state);
    c->started_ms = now_ms(c);
    backoff_reset(&c->backoff);
    /* later than a request's own failure within the time, whose text says more */
    timer_start(&c->deadline, on_deadline, CLUSTER_ANSWER_MS, 0);
}

/* Version */

static void free_env(void *env)
{
    env_free(env);
}

static void use_version(struct cluster *c, const struct kubeversion *version)
{
    c->version = *version;
    holds_retire(&c->holds, c->env, free_env);
    c->env_revision++;
    holds_retire(&c->holds, c->new_env, free_env);
    const struct celgo celgo =
        c->options.cel_go != 0 ? celgo_of(c->options.cel_go) : celgo_in(version->minor);
    c->env = env_new(version->minor, celgo);
    c->new_env = env_new(version->oldest_minor, celgo);
    c->minor_seen = 0;
    log_info(NULL, "server is Kubernetes %s, CEL functions of 1.%d, cel-go 0.%d", version->git,
             env_level(c->env), celgo.release);
}

static void on_version_due(uv_timer_t *timer)
{
    read_version(timer->data);
}

static void on_discovery_due(uv_timer_t *timer)
{
    read_discovery(timer->data);
}

/* May be asked again and again: when a reading is due does not depend on that. */
static void plan(struct cluster *c)
{
    const uint64_t version_ms = polled_delay(&c->version_poll, now_ms(c));
    const uint64_t discovery_ms = polled_delay(&c->discovery_poll, now_ms(c));
    if (c->state != CLUSTER_READY)
        return;
    if (version_ms != UINT64_MAX)
        timer_start(&c->version_due, on_version_due, version_ms, 0);
    if (discovery_ms != UINT64_MAX)
        timer_start(&c->discovery_due, on_discovery_due, discovery_ms, 0);
}

/* A server of another version may be one of several behind one address. */
static void consider_version(struct cluster *c, const struct kubeversion *version)
{
    const bool is_same = version->minor == c->minor_seen;
    polled_trust(&c->version_poll);
    if (version->minor == c->version.minor) {
        belief_forget(&c->version_belief);
        c->minor_seen = 0;
        return;
    }
    if (belief_weigh(&c->version_belief, is_same, false, now_ms(c))) {
        use_version(c, version);
        c->options.on_version(c->options.user);
        return;
    }
    c->minor_seen = version->minor;
    polled_doubt(&c->version_poll, c->version_belief.since_ms);
}

static void on_version(void *user, const struct err *err, const struct api_reply *reply)
{
    struct cluster *c = user;
    struct kubeversion version;
    struct err parse_err = {0};
    c->version_call = NULL;
    if (err == NULL && kubeversion_parse(reply->body, reply->len, &version, &parse_err) != 0)
        err = &parse_err;
    polled_end(&c->version_poll, err == NULL, now_ms(c));
    if (c->state != CLUSTER_VERSION) {
        if (err == NULL)
            consider_version(c, &version);
        else
            log_debug(NULL, "cannot read /version: %s", err->msg);
        plan(c);
        return;
    }
    if (err != NULL) {
        start_failed(c, err, &version_reading);
        return;
    }
    use_version(c, &version);
    start_step(c, CLUSTER_DISCOVERY);
    read_discovery(c);
}

static void read_version(struct cluster *c)
{
    if (c->version_call != NULL)
        return;
    polled_begin(&c->version_poll, now_ms(c));
    c->version_call = api_get(c->api, &(struct api_get){.path = "/version"}, on_version, c);
}

/* Discovery */

struct comparison {
    struct cluster *cluster;
    size_t changed, announced;
};

static void count_change(void *user, const char *group)
{
    struct comparison *x = user;
    x->changed++;
    x->announced += announced_has(&x->cluster->announced, group, strlen(group), now_ms(x->cluster));
}

static void report_change(void *user, const char *group)
{
    struct cluster *c = user;
    log_info(NULL, "the API group %s changed", group[0] == '\0' ? "core" : group);
    keymap_remove(&c->misses, group);
    announced_close(&c->announced, group, strlen(group), c->discovery_poll.began_ms);
    c->options.on_group(c->options.user, group);
}

static void drop_seen(struct cluster *c)
{
    discovery_free(c->discovery_seen);
    c->discovery_seen = NULL;
    belief_forget(&c->discovery_belief);
}

static void say_partial(const struct discovery *discovery)
{
    log_warn(NULL, "what the server serves is known only in part: %s; what is missing is LimitReached",
             discovery->partial);
}

static void free_discovery(void *discovery)
{
    discovery_free(discovery);
}

/* If only a part of it was known and now all is, the resources that were not found are looked for again. */
static void adopt(struct cluster *c, struct discovery *take_newer)
{
    struct discovery *old = c->discovery;
    const bool was_whole = discovery_is_whole(old);
    c->discovery = take_newer;
    c->discovery_revision++;
    drop_seen(c);
    if (take_newer->partial != NULL &&
        (old->partial == NULL || strcmp(old->partial, take_newer->partial) != 0))
        say_partial(take_newer);
    discoverydiff_each(old, take_newer, report_change, c);
    holds_retire(&c->holds, old, free_discovery);
    if (!was_whole && discovery_is_whole(take_newer))
        c->options.on_version(c->options.user);
}

/* A reading failed: changes that were announced since the last good one, or long after it, are not known. */
static void note_old(struct cluster *c)
{
    uint64_t newest_ms;
    const bool is_late = now_ms(c) - c->discovery_ms >= CLUSTER_OLD_MS;
    const bool has_news =
        announced_newest(&c->announced, now_ms(c), &newest_ms) && newest_ms >= c->discovery_ms;
    if (c->discovery->is_old || !(is_late || has_news))
        return;
    c->discovery->is_old = true;
    c->discovery_revision++;
}

/* It was read again, and nothing has changed. */
static void note_fresh(struct cluster *c)
{
    const bool was_old = c->discovery->is_old;
    c->discovery_ms = c->discovery_poll.began_ms;
    c->discovery->is_old = false;
    if (!was_old)
        return;
    c->discovery_revision++;
    c->options.on_version(c->options.user);
}

/* Takes newer: groups vanish from single answers, and come back. */
static void consider_discovery(struct cluster *c, struct discovery *take_newer)
{
    struct comparison x = {.cluster = c};
    const bool is_same = c->discovery_seen != NULL && discovery_equal(c->discovery_seen, take_newer);
    discoverydiff_each(c->discovery, take_newer, count_change, &x);
    if (belief_weigh(&c->discovery_belief, is_same, x.changed == x.announced, now_ms(c))) {
        adopt(c, take_newer);
        return;
    }
    discovery_free(c->discovery_seen);
    c->discovery_seen = take_newer;
}

static void plan_discovery(struct cluster *c)
{
    uint64_t newest_ms;
    polled_trust(&c->discovery_poll);
    if (c->discovery_belief.has_candidate)
        polled_doubt(&c->discovery_poll, c->discovery_belief.since_ms);
    polled_settle(&c->discovery_poll);
    if (announced_newest(&c->announced, now_ms(c), &newest_ms))
        polled_announce(&c->discovery_poll, newest_ms);
    plan(c);
}

static void on_openapi_index(void *user, const struct err *err);
static void on_openapi_change(void *user, const char *path);
static bool is_document_needed(void *user, const char *path);

static void *begin_schema(void *user, const char *bytes, size_t len)
{
    (void)user;
    return schema_reader_new(bytes, len);
}

static bool step_schema(void *derivation)
{
    return schema_reader_step(derivation, SCHEMA_SLICE_BYTES);
}

static void *end_schema(void *derivation, const char *path, struct err *err)
{
    char message[SCHEMA_MESSAGE_BYTES] = "out of memory";
    bool is_limit = false;
    struct schema *schema =
        derivation == NULL ? NULL : schema_reader_end(derivation, message, sizeof message, &is_limit);
    if (schema != NULL)
        schema_digest_kinds(schema);
    if (schema == NULL && err != NULL)
        err_set(err, is_limit ? ERR_LIMIT : ERR_PROTOCOL, "%s: %s", path, message);
    return schema;
}

static void free_schema(void *schema)
{
    schema_free(schema);
}

static void destroy_schema(void *user, void *derived)
{
    struct cluster *c = user;
    holds_retire(&c->holds, derived, free_schema);
}

static size_t schema_size(void *user, const void *derived)
{
    (void)user;
    return schema_bytes(derived);
}

static void start_openapi(struct cluster *c)
{
    const struct openapi_options options = {
        .begin = begin_schema,
        .step = step_schema,
        .end = end_schema,
        .destroy = destroy_schema,
        .size = schema_size,
        .on_change = on_openapi_change,
        .is_needed = is_document_needed,
        .on_index = on_openapi_index,
        .user = c,
    };
    start_step(c, CLUSTER_OPENAPI);
    c->openapi = openapi_start(c->api, &options);
}

static void on_discovery(void *user, const struct err *err, struct discovery *discovery)
{
    struct cluster *c = user;
    c->discovery_call = NULL;
    polled_end(&c->discovery_poll, err == NULL, now_ms(c));
    if (c->state == CLUSTER_DISCOVERY) {
        if (err != NULL) {
            start_failed(c, err, &discovery_reading);
            return;
        }
        c->discovery = discovery;
        c->discovery_ms = now_ms(c);
        if (discovery->partial != NULL)
            say_partial(discovery);
        start_openapi(c);
        return;
    }
    if (err != NULL) {
        log_warn(NULL, "cannot read what the server serves, the last answer is used: %s", err->msg);
        note_old(c);
    } else {
        note_fresh(c);
        if (discovery != NULL)
            consider_discovery(c, discovery);
        else
            drop_seen(c);
    }
    plan_discovery(c);
}

static void read_discovery(struct cluster *c)
{
    if (c->discovery_call != NULL)
        return;
    polled_begin(&c->discovery_poll, now_ms(c));
    c->discovery_call = discovery_fetch(c->api, c->discovery, on_discovery, c);
}

/* OpenAPI */

/* An index that may not be read, or that is none, makes schemas unknown; all else goes on. */
static void on_openapi_index(void *user, const struct err *err)
{
    struct cluster *c = user;
    if (err == NULL)
        c->schemas_ms = now_ms(c);
    if (c->state != CLUSTER_OPENAPI)
        return;
    struct err why = {0};
    err_copy(&why, err);
    if (err != NULL)
        explain(&why, &index_reading);
    if (err != NULL && err_is_retriable(err)) {
        if (now_ms(c) - c->started_ms >= CLUSTER_START_MS)
            fail(c, &why);
        return;
    }
    if (err != NULL)
        log_error(NULL, "schemas are unknown until the OpenAPI index can be read: %s", why.msg);
    enter(c, CLUSTER_READY);
    uv_timer_stop(&c->deadline);
    plan(c);
    c->options.on_ready(c->options.user);
}

static void on_openapi_change(void *user, const char *path)
{
    struct cluster *c = user;
    if (c->state == CLUSTER_READY)
        c->options.on_document(c->options.user, path);
}

static bool is_document_needed(void *user, const char *path)
{
    const struct cluster *c = user;
    return c->options.is_document_needed(c->options.user, path);
}

void cluster_trigger(struct cluster *cluster, const char *group)
{
    if (cluster->state != CLUSTER_READY)
        return;
    cluster->triggered_ms = now_ms(cluster);
    cluster->was_triggered = true;
    announced_add(&cluster->announced, group, now_ms(cluster));
    polled_announce(&cluster->discovery_poll, now_ms(cluster));
    plan(cluster);
    openapi_trigger(cluster->openapi, group);
}

void cluster_miss(struct cluster *cluster, const char *group)
{
    if (cluster->state != CLUSTER_READY || keymap_get(&cluster->misses, group) != NULL)
        return;
    keymap_put(&cluster->misses, group, cluster);
    cluster_trigger(cluster, group);
}

bool cluster_is_settling(const struct cluster *cluster)
{
    return cluster->was_triggered && now_ms(cluster) - cluster->triggered_ms < CLUSTER_SETTLE_MS;
}

/* Life */

struct cluster *cluster_start(struct api *api, const struct cluster_options *options)
{
    struct cluster *c = mem_zalloc(sizeof *c);
    c->api = api;
    c->loop = api_loop(api);
    c->options = *options;
    holds_init(&c->holds);
    backoff_init(&c->backoff, &start_backoff, backoff_seed());
    uv_timer_init(c->loop, &c->retry);
    uv_timer_init(c->loop, &c->deadline);
    uv_timer_init(c->loop, &c->version_due);
    uv_timer_init(c->loop, &c->discovery_due);
    polled_init(&c->version_poll, backoff_seed());
    polled_init(&c->discovery_poll, backoff_seed());
    c->retry.data = c->deadline.data = c->version_due.data = c->discovery_due.data = c;
    c->started_ms = now_ms(c);
    timer_start(&c->deadline, on_deadline, CLUSTER_ANSWER_MS, 0);
    read_version(c);
    return c;
}

static void closed_one(struct cluster *c)
{
    if (--c->to_close > 0)
        return;
    void (*on_closed)(void *user) = c->on_closed;
    void *user = c->close_user;
    discovery_free(c->discovery);
    discovery_free(c->discovery_seen);
    announced_deinit(&c->announced);
    keymap_deinit(&c->misses, NULL);
    env_free(c->env);
    env_free(c->new_env);
    holds_deinit(&c->holds);
    mem_free(c);
    on_closed(user);
}

static void on_timer_closed(uv_handle_t *handle)
{
    closed_one(handle->data);
}

static void on_openapi_closed(void *user)
{
    closed_one(user);
}

void cluster_close(struct cluster *cluster, void (*on_closed)(void *user), void *user)
{
    uv_timer_t *timers[] = {&cluster->retry, &cluster->deadline, &cluster->version_due,
                            &cluster->discovery_due};
    enter(cluster, CLUSTER_CLOSING);
    cluster->on_closed = on_closed;
    cluster->close_user = user;
    stop_asking(cluster);
    cluster->to_close = 4 + (cluster->openapi != NULL);
    for (size_t i = 0; i < 4; i++)
        uv_close((uv_handle_t *)timers[i], on_timer_closed);
    if (cluster->openapi != NULL)
        openapi_close(cluster->openapi, on_openapi_closed, cluster);
}

const struct discovery *cluster_discovery(const struct cluster *cluster)
{
    return cluster->discovery;
}

const struct env *cluster_env(const struct cluster *cluster)
{
    return cluster->env;
}

const struct env *cluster_new_env(const struct cluster *cluster)
{
    return cluster->new_env;
}

void cluster_hold(struct cluster *cluster, struct hold *hold)
{
    holds_take(&cluster->holds, hold);
}

void cluster_release(struct cluster *cluster, struct hold *hold)
{
    holds_release(&cluster->holds, hold);
}

void cluster_retire(struct cluster *cluster, void *object, void (*free_object)(void *object))
{
    holds_retire(&cluster->holds, object, free_object);
}

uint64_t cluster_revision(const struct cluster *cluster)
{
    return cluster->discovery_revision + openapi_revision(cluster->openapi);
}

uint64_t cluster_env_revision(const struct cluster *cluster)
{
    return cluster->env_revision;
}

struct openapi *cluster_openapi(const struct cluster *cluster)
{
    return cluster->openapi;
}

uint64_t cluster_schemas_ms(const struct cluster *cluster)
{
    return cluster->schemas_ms;
}

int cluster_minor(const struct cluster *cluster)
{
    return cluster->version.minor;
}

int cluster_newer_minor(const struct cluster *cluster)
{
    return cluster->version.minor > env_level(cluster->env) ? cluster->version.minor : 0;
}
