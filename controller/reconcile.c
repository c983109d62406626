#include "controller/reconcile.h"

#include <assert.h>
#include <string.h>
#include <time.h>

#include "client/buf.h"
#include "client/jsonval.h"
#include "client/log.h"
#include "client/mem.h"
#include "client/url.h"
#include "controller/conditions.h"
#include "controller/keymap.h"
#include "controller/memo.h"
#include "controller/policy.h"
#include "controller/status.h"
#include "controller/subject.h"

/*
 * GATHERING -- the documents are there --> READY
 * READY     -- a write may start: checked; documents of a changed policy are missing --> GATHERING
 *           -- nothing to write, or not now --> gone
 *           -- the status differs --> WRITING
 * WRITING   -- answered --> gone
 * any       -- the policy was deleted, reconcile_free --> gone
 */
enum op_state { OP_NEW, OP_GATHERING, OP_READY, OP_WRITING };

static const char *const state_names[] = {"new", "gathering", "ready", "writing"};

/* One key in work. */
struct op {
    struct reconcile *reconcile;
    char *key;
    enum op_state state;
    struct op *next; /* READY: in the line */
    struct openapi_call *gather;
    struct keymap asked; /* paths that were gathered */
    struct api_call *write;
    char *written_on; /* the resourceVersion of the write */
    uint64_t digest;
    size_t text_bytes;
    size_t n_warnings;
    bool is_release; /* the write gives up what is ours */
};

struct reconcile {
    struct reconcile_options options;
    struct keymap ops;   /* key -> struct op */
    struct keymap memos; /* key -> struct memo */
    struct op *first, **last;
    size_t writes;
    uint64_t rest_until_ms; /* no write starts before */
    struct reconcile_counts counts;
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
        return;
    }
}

static void op_free(struct op *op)
{
    openapi_cancel(op->gather);
    api_cancel(op->write);
    keymap_deinit(&op->asked, NULL);
    mem_free(op->written_on);
    mem_free(op->key);
    mem_free(op);
}

/* The key is done; if it changed meanwhile the queue has it again. */
static void op_end(struct op *op)
{
    struct reconcile *r = op->reconcile;
    if (op->state == OP_READY)
        leave_line(op);
    if (op->state == OP_WRITING)
        r->writes--;
    keymap_remove(&r->ops, op->key);
    workqueue_done(r->options.queue, op->key);
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
    return subject_init(s, store_get(r->options.policies, key), discovery, &r->options.types,
                        r->options.selector);
}

static const struct schema *lookup(void *user, const char *path, enum openapi_state *state)
{
    return openapi_lookup(user, path, state);
}

/* Whether this document was neither read nor asked for. */
static bool is_missing(const struct op *op, const char *path)
{
    enum openapi_state state;
    openapi_lookup(cluster_openapi(op->reconcile->options.cluster), path, &state);
    return state != OPENAPI_FRESH && state != OPENAPI_ABSENT && keymap_get(&op->asked, path) == NULL;
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
}

/* Gathering */

static void op_line_up(struct op *op)
{
    struct reconcile *r = op->reconcile;
    enter(op, OP_READY);
    op->next = NULL;
    *r->last = op;
    r->last = &op->next;
}

static void on_gathered(void *user)
{
    struct op *op = user;
    op->gather = NULL;
    op_line_up(op);
    wake(op->reconcile);
}

/* True if documents have to be gathered first: then that has begun. */
static bool op_gather(struct op *op, const struct subject *s)
{
    static char asked;
    bool has_missing = false;
    if (s->check == NULL)
        return false;
    const char *const *paths = check_paths(s->check);
    size_t count = check_path_count(s->check);
    for (size_t i = 0; i < count; i++) {
        if (is_missing(op, paths[i])) {
            has_missing = true;
            keymap_put(&op->asked, paths[i], &asked);
        }
    }
    if (!has_missing)
        return false;
    if (op->state == OP_READY)
        leave_line(op);
    enter(op, OP_GATHERING);
    op->gather =
        openapi_require(cluster_openapi(op->reconcile->options.cluster), paths, count, on_gathered, op);
    return true;
}

static void op_start(struct reconcile *r, const char *key)
{
    struct op *op = op_new(r, key);
    struct subject s;
    if (!find_subject(&s, r, key)) {
        forget_policy(r, key);
        op_succeed(op);
        return;
    }
    /* before the documents are asked for: a change meanwhile must find the policy */
    subject_note(&s, r->options.dependents, key, r->options.types.scope, NULL);
    if (!op_gather(op, &s))
        op_line_up(op);
    subject_deinit(&s);
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
        if (r->options.is_release)
            op_succeed(op);
        else
            op_later(op, RECONCILE_FORBIDDEN_MS);
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
            op_later(op, 0);
            return;
        }
        log_error(op->key, "the status is too large for the server: %s", err->msg);
        break;
    case ERR_INVALID:
        log_error(op->key, "the server refuses the status: %s", err->msg);
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
    cleanup_json struct json_object *json = NULL;
    struct memo *memo = keymap_get(&op->reconcile->memos, op->key);
    struct err err = {0};
    if (jsonval_parse(reply->body, reply->len, &json, &err) != 0)
        log_warn(op->key, "the answer to an apply cannot be read: %s", err.msg);
    if (memo != NULL)
        memo_wrote(memo, op->written_on,
                   jsonval_string_or_empty(jsonval_get(json, "metadata"), "resourceVersion"), op->digest);
}

static void on_applied(void *user, const struct err *err, const struct api_reply *reply)
{
    struct op *op = user;
    op->write = NULL;
    if (err != NULL) {
        op->reconcile->counts.failed++;
        write_failed(op, err);
        return;
    }
    op->reconcile->counts.written++;
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
                                              .force = true},
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

static void log_left(const struct op *op, struct memo *memo, const struct status_plan *plan)
{
    if (plan->left_to != NULL && !memo->is_left_logged)
        log_warn(op->key, "the condition %s is left to %s, which owns it", plan->left_type, plan->left_to);
    memo->is_left_logged = plan->left_to != NULL;
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
        log_info(op->key, "somebody else changed the status, it is set right");
        op_write(op, policy, plan);
        return;
    case MEMO_WRITE:
        op_write(op, policy, plan);
        return;
    case MEMO_QUIET:
        log_warn(op->key, "somebody else keeps changing the status: from now on one try an hour");
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
    log_left(op, memo, &plan);
    if (plan.is_needed)
        op_decide_write(op, memo, s->policy, &plan);
    else
        op_succeed(op);
    status_plan_deinit(&plan);
}

static void op_check(struct op *op, struct memo *memo, const struct subject *s)
{
    struct reconcile *r = op->reconcile;
    struct cluster *cluster = r->options.cluster;
    const struct env *env = cluster_env(cluster);
    const struct check_result *result = check_run(s->check, env, lookup, cluster_openapi(cluster));
    struct conditions conditions;
    subject_note(s, r->options.dependents, op->key, r->options.types.scope, result);
    r->counts.checked++;
    op->n_warnings = result->n_warnings;
    /* the schema of a new CRD is published after its discovery */
    for (size_t i = 0; i < result->n_missing; i++)
        cluster_miss(cluster, result->missing[i]);
    bool is_settling = cluster_is_settling(cluster) && subject_has_problem(result, TYPES_SCHEMA_NOT_FOUND);
    uint64_t wait_ms = memo_wait(memo, is_settling || conditions_is_waiting(result), now_ms(r));
    if (wait_ms > 0) {
        log_debug(op->key, "waits for a group that was not read yet");
        op_later(op, is_settling && wait_ms > RECONCILE_SETTLING_MS ? RECONCILE_SETTLING_MS : wait_ms);
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

/* The first of the line: checked as the policy is now, which may be another version than the one
 * whose documents were gathered. */
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
        if (s.check == NULL)
            op_plan(op, memo, &s, NULL, NULL);
        else
            op_check(op, memo, &s);
    }
    subject_deinit(&s);
}

/* The whole */

struct reconcile *reconcile_new(const struct reconcile_options *options)
{
    struct reconcile *r = mem_zalloc(sizeof *r);
    r->options = *options;
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
    mem_free(reconcile);
}

static bool may_decide(const struct reconcile *r)
{
    return r->first != NULL && r->writes < r->options.max_writes && now_ms(r) >= r->rest_until_ms;
}

bool reconcile_step(struct reconcile *reconcile)
{
    if (reconcile->is_stopping)
        return false;
    if (may_decide(reconcile)) {
        op_decide(reconcile->first);
        return true;
    }
    const char *key = workqueue_take(reconcile->options.queue, now_ms(reconcile));
    if (key == NULL)
        return false;
    op_start(reconcile, key);
    return true;
}

bool reconcile_next_ms(const struct reconcile *reconcile, uint64_t *due_ms)
{
    bool has_due = workqueue_next_ms(reconcile->options.queue, due_ms);
    uint64_t rest_until_ms = reconcile->rest_until_ms;
    if (reconcile->first == NULL || rest_until_ms <= now_ms(reconcile))
        return has_due;
    if (!has_due || rest_until_ms < *due_ms)
        *due_ms = rest_until_ms;
    return true;
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
