#include "client/leader/election.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client/base/backoff.h"
#include "client/base/due.h"
#include "client/base/log.h"
#include "client/base/mem.h"
#include "client/base/platform.h"
#include "client/base/rfc3339.h"
#include "client/base/timer.h"
#include "client/leader/lease.h"

struct election {
    struct api *api;
    struct election_options options;
    char *namespace, *name, *identity;
    char *key; /* NAMESPACE/NAME, for the log */
    struct leader leader;
    struct json_object *lease; /* as read last, or as the write under way has it; NULL: there is none */
    struct api_call *call;
    uv_timer_t timer;
    char *announced;           /* the holder that was logged last */
    enum err_code grumbled;    /* the failure that was logged last */
    enum leader_request asked; /* the request that was sent last */
    char *problem;             /* the problem that only people can solve; NULL: none */
    struct err failure;        /* the last one */
    bool is_releasing;
    void (*on_released)(void *user);
    void *release_user;
    void (*on_closed)(void *user);
    void *close_user;
};

static void step(struct election *e, const struct leader_event *event);

/* HOSTNAME_UUID: unique, even where a pod's name is used again. */
static char *new_identity(void)
{
    char host[256] = "";
    unsigned char u[16] = {0};
    if (gethostname(host, sizeof host - 1) != 0 || host[0] == '\0')
        (void)snprintf(host, sizeof host, "unknown");
    for (size_t i = 0; i < sizeof u; i += 8) {
        uint64_t bits = backoff_seed();
        memcpy(u + i, &bits, 8);
    }
    u[6] = (unsigned char)((u[6] & 0x0f) | 0x40);
    u[8] = (unsigned char)((u[8] & 0x3f) | 0x80);
    return mem_printf("%s_%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", host, u[0],
                      u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13], u[14],
                      u[15]);
}

/* Answers */

static void put(struct json_object **object)
{
    json_object_put(*object);
    *object = NULL;
}

static void set_problem(struct election *e, char *take_problem)
{
    mem_free(e->problem);
    e->problem = take_problem;
}

/* A Lease that is missing is made. If making it fails with "not found", its namespace is missing. */
static bool is_namespace_missing(const struct election *e, const struct err *err)
{
    return err->code == ERR_NOT_FOUND && e->asked == LEADER_CREATE;
}

/* Returns true if the problem is news. The last answered request counts: one that got no answer changes
 * nothing. */
static bool note_problem(struct election *e, const struct err *err)
{
    char *problem = NULL;
    if (err->code == ERR_FORBIDDEN)
        problem = mem_printf("the API server forbids the Lease %s", e->key);
    else if (is_namespace_missing(e, err))
        problem = mem_printf("the namespace %s of the Lease does not exist", e->namespace);
    else
        return false;
    bool is_news = e->problem == NULL || strcmp(e->problem, problem) != 0;
    set_problem(e, problem);
    return is_news;
}

/* A standby that cannot read the lease says so once, a leader each time: it has five tries. */
static void grumble(struct election *e, const struct err *err)
{
    bool is_news = e->leader.state != LEADER_STANDBY || e->grumbled != err->code;
    bool is_new_problem = note_problem(e, err);
    bool is_ordinary = err->code == ERR_CONFLICT || err->code == ERR_NOT_FOUND;
    e->failure = *err;
    if (is_namespace_missing(e, err) && is_new_problem)
        log_error(
            e->key,
            "lease: the namespace %s does not exist, so nothing is checked: create it, or name another one "
            "by --leader-elect-resource-namespace: %s",
            e->namespace, err->msg);
    else if (is_ordinary)
        log_debug(e->key, "lease: %s", err->msg);
    else if (err->code == ERR_FORBIDDEN && is_new_problem)
        log_error(e->key,
                  "lease: %s: the account needs the rights to get, create and update leases of "
                  "coordination.k8s.io in the namespace %s",
                  err->msg, e->namespace);
    else if (is_news && err->code != ERR_FORBIDDEN)
        log_warn(e->key, "lease: %s", err->msg);
    if (!is_ordinary)
        e->grumbled = err->code;
}

static void on_reply(void *user, const struct err *err, const struct api_reply *reply)
{
    struct election *e = user;
    struct err problem = {0};
    struct json_object *lease = NULL;
    struct leader_event event = {.kind = LEADER_ANSWERED};
    e->call = NULL;
    if (err == NULL && lease_parse(reply->body, reply->len, &lease, &problem) != 0)
        err = &problem;
    if (err != NULL) {
        grumble(e, err);
        event.kind = LEADER_FAILED;
        event.code = err->code;
    } else {
        put(&e->lease);
        e->lease = lease;
        e->grumbled = ERR_NONE;
        set_problem(e, NULL);
        err_clear(&e->failure);
        event.record =
            (struct leader_record){lease_holder(lease), lease_duration_ms(lease), lease_record(lease)};
    }
    step(e, &event);
}

/* Requests */

static void send_read(struct election *e, const struct leader_action *a)
{
    e->asked = a->request;
    cleanup_mem char *path = lease_path(e->namespace, e->name);
    e->call = api_get(
        e->api,
        &(struct api_get){
            .path = path, .timeout_ms = a->timeout_ms, .no_retry = true, .new_connection = a->new_connection},
        on_reply, e);
}

static void send_write(struct election *e, const struct leader_action *a)
{
    char now[RFC3339_BYTES]; /* for people: it is never read again */
    bool is_create = a->request == LEADER_CREATE, is_release = a->request == LEADER_CLEAR;
    int duration_s = is_release ? 1 : (int)((e->options.lease_ms + 999) / 1000);
    cleanup_mem char *path = lease_path(e->namespace, is_create ? NULL : e->name);
    rfc3339_now(now, RFC3339_MICROSECONDS);
    e->asked = a->request;
    if (is_create) {
        put(&e->lease);
        e->lease = lease_new(e->namespace, e->name);
    }
    lease_hold(e->lease, is_release ? "" : e->identity, duration_s, now);
    const char *body = json_object_to_json_string_ext(e->lease, JSON_C_TO_STRING_NOSLASHESCAPE);
    e->call = (is_create ? api_create : api_put)(e->api,
                                                 &(struct api_write){.path = path,
                                                                     .body = body,
                                                                     .len = strlen(body),
                                                                     .timeout_ms = a->timeout_ms,
                                                                     .new_connection = a->new_connection},
                                                 on_reply, e);
}

/* Steps */

static void announce(struct election *e)
{
    const char *holder = leader_holder(&e->leader);
    if (e->leader.state != LEADER_STANDBY || strcmp(holder, e->announced) == 0)
        return;
    mem_free(e->announced);
    e->announced = mem_strdup(holder);
    if (holder[0] != '\0')
        log_info(e->key, "standing by: %s leads", holder);
}

static void lose(struct election *e)
{
    struct err err = {0};
    const char *holder = leader_holder(&e->leader);
    if (strcmp(holder, e->identity) != 0 && holder[0] != '\0')
        err_set(&err, ERR_CONFLICT, "the lease %s was lost: %s holds it", e->key, holder);
    else
        err_set(&err, ERR_TIMEOUT, "the lease %s was lost: it was not renewed within %llu ms: %s", e->key,
                (unsigned long long)e->options.renew_ms,
                e->failure.code != ERR_NONE ? e->failure.msg : "the process did not run");
    e->options.on_lost(e->options.user, &err);
}

static void finish_release(struct election *e)
{
    if (e->leader.is_holding && leader_holder(&e->leader)[0] != '\0')
        log_warn(e->key, "the lease could not be released");
    else if (e->leader.is_holding)
        log_info(e->key, "the lease is released");
    void (*on_released)(void *user) = e->on_released;
    e->on_released = NULL;
    on_released(e->release_user);
}

/* The last thing that its caller does: the owner may close us. */
static void tell(struct election *e, enum leader_state before)
{
    enum leader_state now = e->leader.state;
    announce(e);
    if (now == before)
        return;
    if (e->is_releasing) {
        if (now >= LEADER_DONE)
            finish_release(e);
    } else if (now == LEADER_LEADING) {
        log_info(e->key, "leading as %s", e->identity);
        e->options.on_leading(e->options.user);
    } else if (now == LEADER_LOST) {
        lose(e);
    }
}

/* The release waits for a turn of its own. */
static bool is_release_due(const struct election *e)
{
    return e->is_releasing && e->leader.state < LEADER_RELEASING;
}

static void on_timer(uv_timer_t *timer)
{
    struct election *e = timer->data;
    step(e, &(struct leader_event){.kind = is_release_due(e) ? LEADER_RELEASE : LEADER_TICK});
}

static void step(struct election *e, const struct leader_event *event)
{
    enum leader_state before = e->leader.state;
    uint64_t now_ms = platform_boottime_ms();
    struct leader_action a = leader_step(&e->leader, event, now_ms);
    if (a.is_dropped) {
        api_cancel(e->call);
        e->call = NULL;
    }
    if (a.is_reset)
        api_reset_connections(e->api, "the lease was answered over a new one only");
    if (a.request == LEADER_READ)
        send_read(e, &a);
    else if (a.request != LEADER_NOTHING)
        send_write(e, &a);
    uv_timer_stop(&e->timer);
    if (a.at_ms != DUE_NEVER)
        timer_start(&e->timer, on_timer, !is_release_due(e) && a.at_ms > now_ms ? a.at_ms - now_ms : 0, 0);
    tell(e, before);
}

/* The whole */

struct election *election_new(struct api *api, const struct election_options *options)
{
    struct election *e = mem_zalloc(sizeof *e);
    e->api = api;
    e->options = *options;
    e->namespace = mem_strdup(options->namespace);
    e->name = mem_strdup(options->name);
    e->key = mem_printf("%s/%s", e->namespace, e->name);
    e->identity = new_identity();
    e->announced = mem_strdup("");
    leader_init(&e->leader,
                &(struct leader_options){.identity = e->identity,
                                         .lease_ms = options->lease_ms,
                                         .renew_ms = options->renew_ms,
                                         .retry_ms = options->retry_ms},
                backoff_seed());
    uv_timer_init(api_loop(api), &e->timer);
    e->timer.data = e;
    return e;
}

void election_start(struct election *election)
{
    timer_start(&election->timer, on_timer, 0, 0);
}

void election_release(struct election *election, void (*on_released)(void *user), void *user)
{
    election->on_released = on_released;
    election->release_user = user;
    election->is_releasing = true;
    timer_start(&election->timer, on_timer, 0, 0);
}

static void on_timer_closed(uv_handle_t *handle)
{
    struct election *e = handle->data;
    void (*on_closed)(void *user) = e->on_closed;
    void *user = e->close_user;
    leader_deinit(&e->leader);
    put(&e->lease);
    mem_free(e->namespace);
    mem_free(e->name);
    mem_free(e->key);
    mem_free(e->identity);
    mem_free(e->announced);
    mem_free(e->problem);
    mem_free(e);
    on_closed(user);
}

void election_close(struct election *election, void (*on_closed)(void *user), void *user)
{
    election->on_closed = on_closed;
    election->close_user = user;
    api_cancel(election->call);
    uv_close((uv_handle_t *)&election->timer, on_timer_closed);
}

uint64_t election_left_ms(const struct election *election)
{
    return leader_left_ms(&election->leader, platform_boottime_ms());
}

bool election_is_leader(const struct election *election)
{
    return leader_is_leader(&election->leader, platform_boottime_ms());
}

bool election_is_healthy(const struct election *election)
{
    return leader_is_healthy(&election->leader, platform_boottime_ms());
}

const char *election_problem(const struct election *election)
{
    return election->problem;
}
