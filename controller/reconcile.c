#include "controller/reconcile.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "client/buf.h"
#include "client/jsontext.h"
#include "client/log.h"
#include "client/mem.h"
#include "client/url.h"
#include "controller/conditions.h"
#include "controller/due.h"
#include "controller/forbidden.h"
#include "controller/gather.h"
#include "controller/keymap.h"
#include "controller/memo.h"
#include "controller/policy.h"
#include "controller/status.h"
#include "controller/subject.h"
#include "controller/telemetry.h"
#include "controller/transition.h"

/*
 * NEW       -- a write may start: documents are missing --> GATHERING, or none --> READY
 * GATHERING -- the documents are there --> READY, in the line
 * READY     -- a write may start: documents of a changed policy are missing --> GATHERING
 *           -- checked: nothing to write, or not now --> gone
 *           -- checked: the status differs --> WRITING
 * WRITING   -- answered --> gone
 * any       -- the policy was deleted, reconcile_free --> gone
 */
enum op_state { OP_NEW, OP_GATHERING, OP_READY, OP_WRITING };

static const char *const state_names[] = {"new", "gathering", "ready", "writing"};

/* ORDER RECONCILE_CAUSES */
static const char *const cause_names[] = {"retry", "policy", "binding", "resources", "schema", "version"};

/* One key in work. */
struct op {
    struct reconcile *reconcile;
    char *key;
    enum op_state state;
    struct op *next; /* in the line */
    struct gather gather;
    struct api_call *write;
    char *written_on; /* the resourceVersion of the write */
    uint64_t digest;
    size_t text_bytes;
    size_t n_warnings;
    bool is_release;                        /* the write gives up what is ours */
    struct transition news[TRANSITION_MAX]; /* to be told once it is written */
    char *notes[TRANSITION_MAX];            /* of them */
    size_t n_news;
    bool was_seen; /* WRITING: a new version of the policy */
};

struct reconcile {
    struct reconcile_options options;
    struct keymap ops;   /* key -> struct op */
    struct keymap memos; /* key -> struct memo */
    struct tally *tally;
    struct forbidden *forbidden;
    struct op *first, **last;
    size_t writes;
    uint64_t rest_until_ms; /* no write starts before */
    struct reconcile_counts counts;
    uint64_t tidied; /* counts.checked then */
    bool is_stopping;
    void (*on_stopped)(void *user);
    void *stop_user;
};

static uint64_t now_ms(const struct reconcile *r)
{
    return uv_now(api_loop(r->options.api));
}

static void wake(struct reconcile *r)
{
    r->options.on_wake(r->options.user);
}

static void enter(struct op *op, enum op_state state)
{
    assert((state == OP_GATHERING && (op->state == OP_NEW || op->state == OP_READY)) ||
           (state == OP_READY && op->state <= OP_GATHERING) ||
           (state == OP_WRITING && op->state == OP_READY));
    log_debug(op->key, "%s -> %s", state_names[op->state], state_names[state]);
    op->state = state;
}

/* Operations */

static struct op *op_new(struct reconcile *r, const char *key)
{
    struct op *op = mem_zalloc(sizeof *op);
    op->reconcile = r;
    op->key = mem_strdup(key);
    keymap_put(&r->ops, key, op);
    return op;
}

static void leave_line(struct op *op)
{
    struct reconcile *r = op->reconcile;
    for (struct op **at = &r->first; *at != NULL; at = &(*at)->next) {
        if (*at != op)
            continue;
        *at = op->next;
        if (r->last == &op->next)
            r->last = at;
        op->next = NULL;
        return;
    }
}

static void drop_news(struct op *op)
{
    for (size_t i = 0; i < op->n_news; i++)
        mem_free(op->notes[i]);
    op->n_news = 0;
}

static void op_free(struct op *op)
{
    drop_news(op);
    gather_deinit(&op->gather);
    api_cancel(op->write);
    mem_free(op->written_on);
    mem_free(op->key);
    mem_free(op);
}

/* Whether our last write made this version of the policy. */
static bool is_own(const struct reconcile *r, const char *key, const char *resource_version)
{
    const struct memo *memo = keymap_get(&r->memos, key);
    return memo != NULL && memo_is_own(memo, resource_version);
}

/* Versions were seen while we wrote: the last of them may be what we wrote. */
static void queue_seen(const struct op *op)
{
    const struct reconcile *r = op->reconcile;
    const struct store_object *now = store_get(r->options.policies, op->key);
    if (now == NULL || !is_own(r, op->key, now->resource_version))
        workqueue_add(r->options.queue, op->key, RECONCILE_POLICY, now_ms(r));
}

/* The key is done; if it changed meanwhile the queue has it again. */
static void op_end(struct op *op)
{
    struct reconcile *r = op->reconcile;
    if (op->was_seen)
        queue_seen(op);
    if (op->state == OP_READY)
        leave_line(op);
    if (op->state == OP_WRITING)
        r->writes--;
    keymap_remove(&r->ops, op->key);
    workqueue_done(r->options.queue, op->key, now_ms(r));
    op_free(op);
    wake(r);
    if (r->is_stopping && r->writes == 0 && r->on_stopped != NULL) {
        void (*on_stopped)(void *user) = r->on_stopped;
        r->on_stopped = NULL;
        on_stopped(r->stop_user);
    }
}

static void op_succeed(struct op *op)
{
    workqueue_forget(op->reconcile->options.queue, op->key);
    op_end(op);
}

static void op_later(struct op *op, uint64_t delay_ms)
{
    struct reconcile *r = op->reconcile;
    workqueue_forget(r->options.queue, op->key);
    workqueue_add_after(r->options.queue, op->key, delay_ms, now_ms(r));
    op_end(op);
}

static void op_fail(struct op *op)
{
    struct reconcile *r = op->reconcile;
    workqueue_add_failed(r->options.queue, op->key, now_ms(r));
    op_end(op);
}

/* Subjects */

/* False where the policy is gone, or is none. */
static bool find_subject(struct subject *s, const struct reconcile *r, const char *key)
{
    const struct discovery *discovery = r->options.is_release ? NULL : cluster_discovery(r->options.cluster);
    return subject_init(s, POLICY_VALIDATING, store_get(r->options.policies, key), discovery,
                        &r->options.types, r->options.selector);
}

static struct memo *find_memo(struct reconcile *r, const struct subject *s, const char *key)
{
    struct memo *memo = keymap_get(&r->memos, key);
    if (memo == NULL) {
        memo = memo_new();
        keymap_put(&r->memos, key, memo);
    }
    memo_see(memo, s->policy);
    return memo;
}

static void forget_policy(struct reconcile *r, const char *key)
{
    dependents_remove(r->options.dependents, key);
    memo_free(keymap_remove(&r->memos, key));
    tally_remove(r->tally, key);
    forbidden_remove(r->forbidden, key);
    events_forget(r->options.events, RECONCILE_KIND, key);
}

/* Gathering */

static void on_gathered(void *user)
{
    struct op *op = user;
    struct reconcile *r = op->reconcile;
    enter(op, OP_READY);
    *r->last = op;
    r->last = &op->next;
    wake(r);
}

/* True if documents have to be gathered first: then that has begun. */
static bool op_gather(struct op *op, const struct subject *s)
{
    const struct reconcile *r = op->reconcile;
    if (s->check == NULL ||
        !gather_start(&op->gather, cluster_openapi(r->options.cluster), s->check, on_gathered, op))
        return false;
    if (op->state == OP_READY)
        leave_line(op);
    enter(op, OP_GATHERING);
    /* in the turn in which they are asked for: a change from now on must find the policy */
    subject_note(s, r->options.dependents, op->key, r->options.types.scope, NULL);
    return true;
}

/* Telling */

static void tell(const struct op *op, bool is_warning, const char *reason, const char *action,
                 const char *note)
{
    const struct memo *memo = keymap_get(&op->reconcile->memos, op->key);
    if (memo == NULL)
        return;
    events_send(op->reconcile->options.events,
                &(struct event){.about = {RECONCILE_API_VERSION, RECONCILE_KIND, op->key, memo->uid},
                                .is_warning = is_warning,
                                .reason = reason,
                                .action = action,
                                .note = note});
}

/* What the user should do something about. */
static void tell_trouble(const struct op *op, const char *reason, const char *note)
{
    tell(op, true, reason, "ApplyStatus", note);
}

static void tell_news(const struct op *op)
{
    for (size_t i = 0; i < op->n_news; i++)
        tell(op, op->news[i].is_warning, op->news[i].reason, "TypeCheck", op->notes[i]);
}

static void keep_news(struct op *op, const struct policy *observed, const struct conditions *conditions)
{
    op->n_news = transition_find(observed, conditions, op->news);
    for (size_t i = 0; i < op->n_news; i++)
        op->notes[i] = mem_strdup(op->news[i].note);
}

/* Writing */

static void write_failed(struct op *op, const struct err *err)
{
    struct reconcile *r = op->reconcile;
    struct memo *memo = keymap_get(&r->memos, op->key);
    switch (err->code) {
    case ERR_NOT_FOUND: /* gone: nobody needs its status */
        op_succeed(op);
        return;
    case ERR_CONFLICT:
        log_debug(op->key, "changed meanwhile, to be checked again");
        op_later(op, RECONCILE_CONFLICT_MS);
        return;
    case ERR_FORBIDDEN:
        log_error(op->key, "may not apply the status: %s", err->msg);
        r->counts.refused++;
        if (tally_forbid(r->tally, op->key, true))
            tell_trouble(op, "StatusForbidden", err->msg);
        if (!r->options.is_release)
            forbidden_put(r->forbidden, op->key, now_ms(r));
        op_succeed(op);
        return;
    case ERR_THROTTLED:
        log_warn(op->key, "the server asks for fewer writes: %s", err->msg);
        r->rest_until_ms =
            now_ms(r) + (err->retry_after_ms > 0 ? (uint64_t)err->retry_after_ms : RECONCILE_THROTTLED_MS);
        break;
    case ERR_LIMIT:
        if (memo != NULL && memo_shorten(memo, op->text_bytes)) {
            log_warn(op->key, "the status is too large for the server, its warnings are cut to half: %s",
                     err->msg);
            tell_trouble(op, "StatusTooLarge", err->msg);
            op_later(op, 0);
            return;
        }
        log_error(op->key, "the status is too large for the server: %s", err->msg);
        break;
    case ERR_INVALID:
        log_error(op->key, "the server refuses the status: %s", err->msg);
        tell_trouble(op, "StatusInvalid", err->msg);
        r->counts.refused++;
        if (memo != NULL)
            memo_refused(memo, op->written_on);
        op_succeed(op);
        return;
    default:
        log_warn(op->key, "cannot apply the status: %s", err->msg);
        break;
    }
    op_fail(op);
}

/* The version that the object has after the write; what cannot be read is as good as another one. */
static void note_written(struct op *op, const struct api_reply *reply)
{
    struct jsontext_pick version = {.path = {"metadata", "resourceVersion"}};
    struct memo *memo = keymap_get(&op->reconcile->memos, op->key);
    struct err err = {0};
    if (jsontext_pick(reply->body, reply->len, &version, 1, &err) != 0)
        log_warn(op->key, "the answer to an apply cannot be read: %s", err.msg);
    cleanup_mem char *after = jsontext_string_or_empty(&version.value);
    if (memo != NULL)
        memo_wrote(memo, op->written_on, after, op->digest);
}

static void on_applied(void *user, const struct err *err, const struct api_reply *reply)
{
    struct op *op = user;
    op->write = NULL;
    telemetry_count_write(op->reconcile->options.metrics, err);
    if (err != NULL) {
        op->reconcile->counts.failed++;
        write_failed(op, err);
        return;
    }
    op->reconcile->counts.written++;
    (void)tally_forbid(op->reconcile->tally, op->key, false);
    forbidden_grant(op->reconcile->forbidden, op->key);
    tell_news(op);
    note_written(op, reply);
    if (op->is_release)
        log_info(op->key, "status released");
    else
        log_info(op->key, "status applied: %zu expression%s with warnings", op->n_warnings,
                 op->n_warnings == 1 ? "" : "s");
    op_succeed(op);
}

static void op_write(struct op *op, const struct policy *policy, const struct status_plan *plan)
{
    struct reconcile *r = op->reconcile;
    struct buf path;
    buf_init(&path, URL_CAP_BYTES);
    buf_puts(&path, RECONCILE_POLICIES "/");
    url_put_encoded(&path, policy->name);
    buf_puts(&path, "/status");
    leave_line(op);
    enter(op, OP_WRITING);
    r->writes++;
    op->written_on = mem_strdup(policy->resource_version);
    op->digest = plan->digest;
    op->text_bytes = plan->text_bytes;
    op->write = api_apply(r->options.api,
                          &(struct api_write){.path = path.data,
                                              .body = plan->body.data,
                                              .len = plan->body.len,
                                              .field_manager = STATUS_MANAGER,
                                              .force = true,
                                              .metadata_only = true},
                          on_applied, op);
    buf_deinit(&path);
}

/* Deciding */

static void format_now(char *out, size_t size)
{
    time_t now = time(NULL);
    struct tm tm;
    gmtime_r(&now, &tm);
    strftime(out, size, "%Y-%m-%dT%H:%M:%SZ", &tm);
}

static void note_left(const struct op *op, struct memo *memo, const struct status_plan *plan)
{
    bool is_left = plan->left_to != NULL;
    if (is_left)
        metrics_add(op->reconcile->options.metrics, TELEMETRY_LEFT, METRICS_LABELS(plan->left_type), 1);
    if (is_left && !memo->is_left_logged) {
        char note[512];
        snprintf(note, sizeof note, "the condition %s is left to %s, which owns it", plan->left_type,
                 plan->left_to);
        log_warn(op->key, "%s", note);
        tell_trouble(op, "ConditionContested", note);
    }
    memo->is_left_logged = is_left;
}

/* A release knows but one manager by whom a status is ours: another process of our own. */
static bool is_contested(const struct op *op, const struct memo *memo)
{
    return op->reconcile->options.is_release &&
           (memo->is_given_up || memo->n_reasserts > RECONCILE_RELEASE_REASSERTS);
}

static void give_up(struct op *op, struct memo *memo)
{
    if (!memo->is_given_up) {
        log_error(op->key, "not released: a controller that still runs writes the status again, as the field "
                           "manager " STATUS_MANAGER);
        op->reconcile->counts.contested++;
    }
    memo->is_given_up = true;
    op_succeed(op);
}

/* The status differs: whether, and when, that is written. */
static void op_decide_write(struct op *op, struct memo *memo, const struct policy *policy,
                            const struct status_plan *plan)
{
    uint64_t delay_ms = 0;
    if (plan->body.is_full) {
        struct err err = {0};
        err_set(&err, ERR_LIMIT, "more than %d bytes", STATUS_BODY_CAP_BYTES);
        op->text_bytes = plan->text_bytes;
        write_failed(op, &err);
        return;
    }
    switch (memo_may_write(memo, policy->resource_version, plan->digest, now_ms(op->reconcile), &delay_ms)) {
    case MEMO_WRITE_AGAIN:
        if (is_contested(op, memo)) {
            give_up(op, memo);
            return;
        }
        log_info(op->key, "somebody else changed the status, it is set right");
        metrics_add(op->reconcile->options.metrics, TELEMETRY_REASSERTS, METRICS_LABELS(TELEMETRY_SET_RIGHT),
                    1);
        op_write(op, policy, plan);
        return;
    case MEMO_WRITE:
        op_write(op, policy, plan);
        return;
    case MEMO_QUIET:
        log_warn(op->key, "somebody else keeps changing the status: from now on one try an hour");
        tell_trouble(op, "StatusContested",
                     "somebody else keeps changing the status: from now on one try an hour to set it right");
        metrics_add(op->reconcile->options.metrics, TELEMETRY_REASSERTS, METRICS_LABELS(TELEMETRY_GIVEN_UP),
                    1);
        op_later(op, delay_ms);
        return;
    case MEMO_LATER:
        op_later(op, delay_ms);
        return;
    case MEMO_AWAIT:
        op_succeed(op);
        return;
    }
}

static void op_plan(struct op *op, struct memo *memo, const struct subject *s,
                    const struct check_result *result, const struct conditions *conditions)
{
    const struct reconcile *r = op->reconcile;
    const struct tally_entry entry = tally_read(result, conditions);
    struct status_plan plan;
    char now[32];
    format_now(now, sizeof now);
    op->is_release = conditions == NULL;
    status_plan_init(&plan, &(struct status_wanted){.policy = s->policy,
                                                    .conditions = conditions,
                                                    .result = result,
                                                    .is_conditions_only = r->options.is_conditions_only,
                                                    .text_cap_bytes = memo->text_cap_bytes,
                                                    .now = now});
    note_left(op, memo, &plan);
    tally_note(r->tally, op->key, &entry);
    keep_news(op, s->policy, conditions);
    if (plan.is_needed) {
        op_decide_write(op, memo, s->policy, &plan);
    } else {
        (void)tally_forbid(r->tally, op->key, false);
        forbidden_remove(r->forbidden, op->key);
        op_succeed(op);
    }
    status_plan_deinit(&plan);
}

static void count_check(const struct op *op, uint64_t took_ns)
{
    struct metrics *metrics = op->reconcile->options.metrics;
    unsigned cause = workqueue_cause(op->reconcile->options.queue, op->key);
    metrics_add(metrics, TELEMETRY_CHECKS, METRICS_LABELS(cause_names[cause]), 1);
    metrics_observe(metrics, TELEMETRY_CHECK_TIME, NULL, (double)took_ns / 1e9);
}

static void op_check(struct op *op, struct memo *memo, const struct subject *s)
{
    struct reconcile *r = op->reconcile;
    struct cluster *cluster = r->options.cluster;
    const struct env *env = cluster_env(cluster);
    const uint64_t began_ns = uv_hrtime();
    const struct check_result *result = check_run(s->check, env, gather_lookup, cluster_openapi(cluster));
    struct conditions conditions;
    count_check(op, uv_hrtime() - began_ns);
    subject_note(s, r->options.dependents, op->key, r->options.types.scope, result);
    r->counts.checked++;
    op->n_warnings = result->n_warnings;
    uint64_t wait_ms = gather_wait_ms(cluster, memo, result, now_ms(r));
    if (wait_ms > 0) {
        log_debug(op->key, "waits for a group that was not read yet");
        op_later(op, wait_ms);
        return;
    }
    conditions_init(&conditions,
                    &(struct conditions_input){
                        .policy = s->policy,
                        .result = result,
                        .binding = bindings_has(r->options.bindings, op->key) ? CONDITIONS_BINDING_FOUND
                                                                              : CONDITIONS_BINDING_NONE,
                        .newer_minor = cluster_newer_minor(cluster),
                        .table_minor = env_level(env),
                    });
    op_plan(op, memo, s, result, &conditions);
    conditions_deinit(&conditions);
}

/* The policy is checked as it is now, which may be another version than the one whose documents were
 * gathered. */
static void op_decide(struct op *op)
{
    struct reconcile *r = op->reconcile;
    struct subject s;
    if (!find_subject(&s, r, op->key)) {
        forget_policy(r, op->key);
        op_succeed(op);
        return;
    }
    if (!op_gather(op, &s)) {
        struct memo *memo = find_memo(r, &s, op->key);
        if (op->state == OP_NEW)
            enter(op, OP_READY);
        if (s.check == NULL) {
            dependents_remove(r->options.dependents, op->key);
            op_plan(op, memo, &s, NULL, NULL);
        } else {
            op_check(op, memo, &s);
        }
    }
    subject_deinit(&s);
}

/* The whole */

struct reconcile *reconcile_new(const struct reconcile_options *options)
{
    struct reconcile *r = mem_zalloc(sizeof *r);
    r->options = *options;
    r->tally = tally_new();
    r->forbidden = forbidden_new();
    for (size_t i = 0; i < sizeof cause_names / sizeof cause_names[0]; i++)
        metrics_add(r->options.metrics, TELEMETRY_CHECKS, METRICS_LABELS(cause_names[i]), 0);
    r->last = &r->first;
    return r;
}

static void free_op(void *value)
{
    op_free(value);
}

void reconcile_free(struct reconcile *reconcile)
{
    if (reconcile == NULL)
        return;
    keymap_deinit(&reconcile->ops, free_op);
    keymap_deinit(&reconcile->memos, memo_free);
    tally_free(reconcile->tally);
    forbidden_free(reconcile->forbidden);
    mem_free(reconcile);
}

/* Nothing is taken from the queue before: what waits there costs nothing, and is checked once. */
static bool may_write(const struct reconcile *r)
{
    return r->writes < r->options.max_writes && now_ms(r) >= r->rest_until_ms;
}

/* All is done. Much work leaves holes everywhere: each status grows its policy in the store. */
static void tidy(struct reconcile *r)
{
    enum { MUCH = 100 };
    if (r->counts.checked - r->tidied < MUCH)
        return;
    r->tidied = r->counts.checked;
    mem_trim();
}

static void retry_refused(struct reconcile *r)
{
    const char *key;
    while ((key = forbidden_take(r->forbidden, now_ms(r))) != NULL)
        workqueue_add(r->options.queue, key, RECONCILE_RETRY, now_ms(r));
}

bool reconcile_step(struct reconcile *reconcile)
{
    if (reconcile->is_stopping || !may_write(reconcile))
        return false;
    if (reconcile->first != NULL) {
        op_decide(reconcile->first);
        return true;
    }
    retry_refused(reconcile);
    const char *key = workqueue_take(reconcile->options.queue, now_ms(reconcile));
    if (key != NULL)
        op_decide(op_new(reconcile, key));
    else if (reconcile->writes == 0)
        tidy(reconcile);
    return key != NULL;
}

uint64_t reconcile_next_ms(const struct reconcile *reconcile)
{
    const struct workqueue *queue = reconcile->options.queue;
    if (reconcile->writes >= reconcile->options.max_writes)
        return DUE_NEVER; /* the end of one wakes */
    if (reconcile->first != NULL || workqueue_depth(queue) > 0)
        return reconcile->rest_until_ms;
    const uint64_t due_ms = due_first(workqueue_next_ms(queue), forbidden_next_ms(reconcile->forbidden));
    return due_ms < reconcile->rest_until_ms ? reconcile->rest_until_ms : due_ms;
}

bool reconcile_is_news(struct reconcile *reconcile, const char *key, const char *resource_version)
{
    struct op *op = keymap_get(&reconcile->ops, key);
    if (op != NULL && op->state == OP_WRITING) {
        op->was_seen = true;
        return false;
    }
    return !is_own(reconcile, key, resource_version);
}

void reconcile_cancel(struct reconcile *reconcile, const char *key)
{
    struct op *op = keymap_get(&reconcile->ops, key);
    if (op != NULL)
        op_succeed(op);
}

bool reconcile_stop(struct reconcile *reconcile, void (*on_stopped)(void *user), void *user)
{
    reconcile->is_stopping = true;
    reconcile->on_stopped = on_stopped;
    reconcile->stop_user = user;
    return reconcile->writes == 0;
}

struct reconcile_counts reconcile_counts(const struct reconcile *reconcile)
{
    return reconcile->counts;
}

const struct tally *reconcile_tally(const struct reconcile *reconcile)
{
    return reconcile->tally;
}
