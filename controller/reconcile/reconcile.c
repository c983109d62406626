#include "controller/reconcile/reconcile.h"

#include <stdio.h>
#include <string.h>

#include "client/base/keymap.h"
#include "client/base/log.h"
#include "client/base/mem.h"
#include "client/base/rfc3339.h"
#include "client/http/url.h"
#include "client/text/jsonpick.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/validation/fielderrors.h"
#include "controller/apiserver/validation/validation.h"
#include "controller/findings/conditionnews.h"
#include "controller/findings/conditions.h"
#include "controller/findings/findingcount.h"
#include "controller/findings/nextversion.h"
#include "controller/match/policyview.h"
#include "controller/observe/metricfamilies.h"
#include "controller/reconcile/worker.h"
#include "controller/status/status.h"
#include "controller/status/writehistory.h"
#include "typecheck/version.h"

/*
 * A key goes through these steps: on_turn looks at the policy in the store, the worker gathers documents and
 * runs the check, on_checked plans the status (op_plan) and decides if it is written (op_decide_write), and
 * on_applied takes the answer, by the table `failures` if it is an error. Between the turns of a key only its
 * write history is remembered. A release goes the same way without a check: it removes the fields that we
 * own.
 */

static const char *const cause_names[] = {
    [RECONCILE_RETRY] = "retry",         [RECONCILE_POLICY] = "policy", [RECONCILE_BINDING] = "binding",
    [RECONCILE_RESOURCES] = "resources", [RECONCILE_SCHEMA] = "schema", [RECONCILE_VERSION] = "version",
};

/* One policy in work. */
struct op {
    struct worker_op base;
    char *written_on; /* the resourceVersion of the write */
    uint64_t digest;
    size_t text_bytes;
    size_t n_warnings;
    bool is_release;                              /* the write releases what is ours */
    bool is_complete;                             /* no document of the check was out of date */
    struct conditionnews news[CONDITIONNEWS_MAX]; /* to be reported once it is written */
    char *notes[CONDITIONNEWS_MAX];               /* the texts of these news */
    size_t n_news;
};

struct reconcile {
    struct reconcile_options options;
    struct worker *worker;
    struct keymap histories; /* key -> struct writehistory */
    struct policystats *stats;
    struct env *next_env, *next_new_env; /* the environments of also_check: for stored expressions, and for
                                            new ones; NULL: none */
    struct reconcile_counts counts;
    uint64_t tidied; /* counts.checked then */
};

static struct reconcile *owner_of(const struct op *op)
{
    return worker_user(&op->base);
}

static void on_free(struct worker_op *base)
{
    struct op *op = (struct op *)base;
    for (size_t i = 0; i < op->n_news; i++)
        mem_free(op->notes[i]);
    mem_free(op->written_on);
}

/* Memory */

static struct writehistory *find_history(struct reconcile *r, const struct op *op)
{
    struct writehistory *history = keymap_get(&r->histories, op->base.key);
    if (history == NULL) {
        history = writehistory_new();
        keymap_put(&r->histories, op->base.key, history);
    }
    writehistory_see(history, op->base.subject.policy);
    return history;
}

static void forget_policy(struct reconcile *r, const char *key)
{
    worker_forget(r->worker, key);
    writehistory_free(keymap_remove(&r->histories, key));
    policystats_remove(r->stats, key);
}

/* Returns true if the store has this version, and all of it. */
static bool is_version(const struct store_object *stored, const char *version)
{
    return stored != NULL && stored->left_out == STORE_WHOLE &&
           strcmp(stored->resource_version, version) == 0;
}

/* Returns true if the policy changed to the version that our write made, and that is expected
 * (skip_own_event). */
static bool is_own_event(const struct reconcile *r, const char *key, enum reconcile_cause cause)
{
    const struct writehistory *history = keymap_get(&r->histories, key);
    return cause == RECONCILE_POLICY && history != NULL && history->expected != NULL &&
           is_version(store_get(r->options.policies, key), history->expected);
}

/* Forgets the expected event: it came, or a turn of the key begins, which may be based on an older version.
 */
static void expect_no_event(const struct reconcile *r, const char *key)
{
    struct writehistory *history = keymap_get(&r->histories, key);
    if (history != NULL)
        writehistory_expect(history, NULL);
}

/* Events */

static void send_event(const struct op *op, bool is_warning, const char *reason, const char *action,
                       const char *note)
{
    const struct reconcile *r = owner_of(op);
    const struct writehistory *history = keymap_get(&r->histories, op->base.key);
    if (history == NULL)
        return;
    events_send(r->options.events,
                &(struct event){.about = {RECONCILE_API_VERSION, RECONCILE_KIND, op->base.key, history->uid},
                                .is_warning = is_warning,
                                .reason = reason,
                                .action = action,
                                .note = note});
}

/* Sends news about which the user should do something. */
static void send_trouble(const struct op *op, const char *reason, const char *note)
{
    send_event(op, true, reason, "ApplyStatus", note);
}

static void send_news(const struct op *op)
{
    for (size_t i = 0; i < op->n_news; i++)
        send_event(op, op->news[i].is_warning, op->news[i].reason, "TypeCheck", op->notes[i]);
}

static void keep_news(struct op *op, const struct check_result *result, const struct conditions *conditions)
{
    const struct findingcount_source source = {.result = result};
    op->n_news = conditionnews_find(op->base.subject.policy, conditions, op->news);
    for (size_t i = 0; i < op->n_news; i++) {
        const struct findingcount count = findingcount_of_one(op->news[i].condition, &source);
        op->notes[i] = findingcount_note(&count, op->news[i].note);
    }
}

/* Failed writes */

/* The action for the policy. */
enum action {
    ACTION_DONE,    /* it is gone: nobody needs its status */
    ACTION_BACKOFF, /* it is checked again after its backoff, or when an event comes */
    ACTION_REFUSED, /* one policy a minute is tried, for all */
    ACTION_REST,    /* all writes rest */
    ACTION_SHORTEN, /* its warnings are cut to half */
    ACTION_HOLD,    /* again when another status is wanted, or after WRITEHISTORY_REFUSED_MS */
};

struct failure {
    enum err_code code;
    enum action action;
    enum log_level level;
    bool is_granted;    /* the server answers so only to who may write */
    const char *reason; /* of the Event; NULL: there is none */
    const char *text;   /* of the log */
};

/* Every code that a write can end with; those that are not listed are the last row's. */
static const struct failure failures[] = {
    {ERR_NOT_FOUND, ACTION_DONE, LOG_LEVEL_DEBUG, true, NULL, "deleted meanwhile"},
    {ERR_CONFLICT, ACTION_BACKOFF, LOG_LEVEL_DEBUG, true, NULL, "changed meanwhile, to be checked again"},
    {ERR_FORBIDDEN, ACTION_REFUSED, LOG_LEVEL_ERROR, false, "StatusForbidden", "may not apply the status"},
    {ERR_THROTTLED, ACTION_REST, LOG_LEVEL_WARN, false, NULL, "the server asks for fewer writes"},
    {ERR_LIMIT, ACTION_SHORTEN, LOG_LEVEL_WARN, false, "StatusTooLarge",
     "the status is too large for the server"},
    {ERR_INVALID, ACTION_HOLD, LOG_LEVEL_ERROR, true, "StatusInvalid", "the server refuses the status"},
    {ERR_NONE, ACTION_BACKOFF, LOG_LEVEL_WARN, false, NULL, "cannot apply the status"},
};

static const struct failure *find_failure(enum err_code code)
{
    const struct failure *f = failures;
    while (f->code != code && f->code != ERR_NONE)
        f++;
    return f;
}

static void report_failure(const struct op *op, const struct failure *f, const char *why, const char *then)
{
    log_event(f->level, op->base.key, "%s: %s%s", f->text, why, then);
    if (f->reason != NULL)
        send_trouble(op, f->reason, why);
}

/* If the right is missing, the message about one policy stands for all. */
static void write_refused(struct op *op, const struct failure *f, const char *why)
{
    struct reconcile *r = owner_of(op);
    static const char *const thens[] = {
        [FORBIDDEN_ONE] = "",
        [FORBIDDEN_ALL] = "; until that is granted one policy a minute is tried, for all of them",
    };
    r->counts.refused++;
    if (r->options.is_release) {
        report_failure(op, f, why, "");
        worker_succeed(&op->base);
        return;
    }
    const enum forbidden_news news = worker_refused(&op->base);
    if (news != FORBIDDEN_KNOWN)
        report_failure(op, f, why, thens[news]);
    worker_wait_for_right(&op->base);
}

static void write_too_large(struct op *op, const struct failure *f, const char *why)
{
    struct writehistory *history = keymap_get(&owner_of(op)->histories, op->base.key);
    if (history == NULL || !writehistory_shorten(history, op->text_bytes)) {
        log_error(op->base.key, "%s, even when it is shortened: %s", f->text, why);
        worker_fail(&op->base);
        return;
    }
    if (history->n_shortened == 1)
        report_failure(op, f, why, "; its warnings are cut to half");
    worker_later(&op->base, 0);
}

static void write_held(struct op *op, const struct failure *f, const char *why)
{
    struct reconcile *r = owner_of(op);
    struct writehistory *history = keymap_get(&r->histories, op->base.key);
    r->counts.refused++;
    report_failure(op, f, why, "");
    if (history == NULL || r->options.is_release) {
        worker_succeed(&op->base);
        return;
    }
    writehistory_refused(history, op->digest, worker_now_ms(r->worker));
    worker_later(&op->base, WRITEHISTORY_REFUSED_MS);
}

static void write_failed(struct op *op, const struct err *err)
{
    const struct failure *f = find_failure(err->code);
    if (f->is_granted)
        worker_granted(&op->base);
    switch (f->action) {
    case ACTION_DONE:
        report_failure(op, f, err->msg, "");
        worker_succeed(&op->base);
        return;
    case ACTION_BACKOFF:
        report_failure(op, f, err->msg, "");
        worker_fail(&op->base);
        return;
    case ACTION_REFUSED:
        write_refused(op, f, err->msg);
        return;
    case ACTION_REST:
        report_failure(op, f, err->msg, "");
        worker_rest(&op->base, err->retry_after_ms);
        return;
    case ACTION_SHORTEN:
        write_too_large(op, f, err->msg);
        return;
    case ACTION_HOLD:
        write_held(op, f, err->msg);
        return;
    }
}

/* Writing */

/*
 * Our write made version `after` of the policy, and the status in it is the one that the check wanted. So a
 * check of that version finds nothing to write, as long as it reads the same as the one before the write:
 * then it is left out. It is not if a document could not be read: the next check asks for it again.
 * Everything that a check reads makes the key dirty when it changes, from the check's beginning on: now it
 * may be dirty by our own event alone. The expectation ends with the key's next turn, which begins whenever
 * the key is added for any cause.
 */
static void skip_own_event(const struct op *op, struct writehistory *history, const char *after)
{
    const struct reconcile *r = owner_of(op);
    const struct store_object *stored = store_get(r->options.policies, op->base.key);
    const unsigned causes = workqueue_dirty_causes(r->options.queue, op->base.key);
    if (causes == 0)
        writehistory_expect(history, after); /* the event is to come */
    else if (causes == WORKQUEUE_BIT(RECONCILE_POLICY) && is_version(stored, after))
        workqueue_renew(r->options.queue, op->base.key); /* it came before the answer */
}

/* The version that the object has after the write; "" where that cannot be read. */
static void note_written(struct op *op, const struct api_reply *reply)
{
    struct jsonpick_pick version = {.path = {"metadata", "resourceVersion"}};
    struct writehistory *history = keymap_get(&owner_of(op)->histories, op->base.key);
    struct err err = {0};
    if (jsonpick_first(reply->body, reply->len, &version, 1, &err) != 0)
        log_warn(op->base.key, "the answer to an apply cannot be read: %s", err.msg);
    cleanup_mem char *after = jsonpick_string_or_empty(&version.value);
    if (history == NULL)
        return;
    writehistory_wrote(history, op->written_on, after, op->digest);
    if (history->written_on != NULL && op->is_complete)
        skip_own_event(op, history, after);
}

static void on_applied(void *user, const struct err *err, const struct api_reply *reply)
{
    struct op *op = user;
    struct reconcile *r = owner_of(op);
    worker_answered(&op->base);
    metricfamilies_count_write(r->options.metrics, err);
    if (err != NULL) {
        r->counts.failed++;
        write_failed(op, err);
        return;
    }
    r->counts.written++;
    worker_granted(&op->base);
    send_news(op);
    note_written(op, reply);
    if (op->is_release)
        log_info(op->base.key, "status released");
    else
        log_info(op->base.key, "status applied: %zu expression%s with warnings", op->n_warnings,
                 op->n_warnings == 1 ? "" : "s");
    worker_succeed(&op->base);
}

static void op_write(struct op *op, const struct status_plan *plan)
{
    const struct reconcile *r = owner_of(op);
    const struct policyview *policy = op->base.subject.policy;
    if (!worker_may_call(&op->base))
        return;
    cleanup_mem char *path = url_resource(&(struct url_resource){.group_version = RECONCILE_API_VERSION,
                                                                 .resource = RECONCILE_RESOURCE,
                                                                 .name = policy->name,
                                                                 .subresource = "status"});
    op->is_complete =
        op->is_release || gather_is_complete(cluster_openapi(r->options.cluster), op->base.subject.check);
    op->written_on = mem_strdup(policy->resource_version);
    op->digest = plan->digest;
    op->text_bytes = plan->text_bytes;
    worker_call(&op->base, api_apply(r->options.api,
                                     &(struct api_write){.path = path,
                                                         .body = plan->body.data,
                                                         .len = plan->body.len,
                                                         .field_manager = STATUS_MANAGER,
                                                         .force = true,
                                                         .metadata_only = true},
                                     on_applied, op));
}

/* Deciding */

static void note_left(const struct op *op, struct writehistory *history, const struct status_plan *plan)
{
    bool is_left = plan->left_to != NULL;
    if (is_left)
        metrics_add(owner_of(op)->options.metrics, METRICFAMILIES_LEFT, METRICS_LABELS(plan->left_type), 1);
    if (is_left && !history->is_left_logged) {
        char note[512];
        snprintf(note, sizeof note, "the condition %s is left to %s, which owns it", plan->left_type,
                 plan->left_to);
        log_warn(op->base.key, "%s", note);
        send_trouble(op, "ConditionContested", note);
    }
    history->is_left_logged = is_left;
}

/* Returns true if another process of our own writes the status again that a release removes. */
static bool is_contested(const struct op *op, const struct writehistory *history)
{
    return owner_of(op)->options.is_release &&
           (history->is_given_up || history->n_reasserts > RECONCILE_RELEASE_REASSERTS);
}

static void stop_releasing(struct op *op, struct writehistory *history)
{
    if (!history->is_given_up) {
        log_error(op->base.key, "not released: a controller that still runs writes the status again, as the "
                                "field manager " STATUS_MANAGER);
        owner_of(op)->counts.contested++;
    }
    history->is_given_up = true;
    worker_succeed(&op->base);
}

static void count_reassert(const struct op *op, const char *result)
{
    metrics_add(owner_of(op)->options.metrics, METRICFAMILIES_REASSERTS, METRICS_LABELS(result), 1);
}

/* If an object is left out, perhaps only its identity is known. */
static bool is_status_unseen(const struct policyview *policy)
{
    return policy->left_out != NULL && jsonval_get(policy->json, "status") == NULL;
}

/* Decides if and when a status that differs is written. */
static void op_decide_write(struct op *op, struct writehistory *history, const struct status_plan *plan)
{
    uint64_t delay_ms = 0;
    if (is_status_unseen(op->base.subject.policy) && writehistory_has_applied(history, plan->digest)) {
        worker_succeed(&op->base);
        return;
    }
    if (plan->body.is_full) {
        struct err err = {0};
        err_set(&err, ERR_LIMIT, "more than %d bytes", STATUS_BODY_CAP_BYTES);
        op->text_bytes = plan->text_bytes;
        write_failed(op, &err);
        return;
    }
    switch (writehistory_may_write(history, op->base.subject.policy->resource_version, plan->digest,
                                   worker_now_ms(owner_of(op)->worker), &delay_ms)) {
    case WRITEHISTORY_WRITE_AGAIN:
        if (is_contested(op, history)) {
            stop_releasing(op, history);
            return;
        }
        log_info(op->base.key, "somebody else changed the status, it is written again");
        count_reassert(op, METRICFAMILIES_SET_RIGHT);
        op_write(op, plan);
        return;
    case WRITEHISTORY_WRITE:
        op_write(op, plan);
        return;
    case WRITEHISTORY_QUIET:
        log_warn(op->base.key,
                 "somebody else keeps changing the status: from now on it is written again once an hour");
        send_trouble(op, "StatusContested",
                     "somebody else keeps changing the status: from now on it is written again once an hour");
        count_reassert(op, METRICFAMILIES_GIVEN_UP);
        worker_later(&op->base, delay_ms);
        return;
    case WRITEHISTORY_LATER:
        worker_later(&op->base, delay_ms);
        return;
    case WRITEHISTORY_AWAIT:
        worker_succeed(&op->base);
        return;
    }
}

/* conditions NULL: the fields that we own are released. */
static void op_plan(struct op *op, struct writehistory *history, const struct check_result *result,
                    const struct conditions *conditions)
{
    const struct reconcile *r = owner_of(op);
    const struct policyview *policy = op->base.subject.policy;
    const struct policystats_entry entry = policystats_read(result, conditions);
    struct status_plan plan;
    char now[RFC3339_BYTES];
    rfc3339_now(now, RFC3339_SECONDS);
    op->is_release = conditions == NULL;
    status_plan_init(&plan, &(struct status_wanted){.policy = policy,
                                                    .conditions = conditions,
                                                    .result = result,
                                                    .is_conditions_only = r->options.is_conditions_only,
                                                    .text_cap_bytes = history->text_cap_bytes,
                                                    .now = now});
    note_left(op, history, &plan);
    policystats_note(r->stats, op->base.key, &entry);
    keep_news(op, result, conditions);
    if (plan.is_needed)
        op_decide_write(op, history, &plan);
    else
        worker_succeed(&op->base);
    status_plan_deinit(&plan);
}

static void count_check(const struct op *op)
{
    struct reconcile *r = owner_of(op);
    const char *cause = cause_names[workqueue_cause(r->options.queue, op->base.key)];
    metrics_add(r->options.metrics, METRICFAMILIES_CHECKS, METRICS_LABELS(cause), 1);
    metrics_observe(r->options.metrics, METRICFAMILIES_CHECK_TIME, NULL, (double)op->base.spent_ns / 1e9);
    r->counts.checked++;
}

/* Adds refusals of fields of the spec only: the rest of a stored object is the server's own. */
static void add_refusals(const struct reconcile *r, const struct policyview *policy,
                         struct versiondiff_report *report)
{
    static const char spec[] = "spec.";
    struct fielderrors refusals = {.minor = r->options.also_check};
    validation_of_policy(policy->json, r->next_new_env, &refusals);
    for (size_t i = 0; i < refusals.count; i++) {
        const struct fielderror *e = &refusals.items[i];
        const struct versiondiff_item item = {.field = e->field, .message = e->message, .detail = e->detail};
        if (strncmp(e->field, spec, sizeof spec - 1) == 0)
            versiondiff_add_refusal(report, &item, e->n_issues == 0 ? NULL : &e->issues[0]);
    }
    report->is_partial = report->is_partial || refusals.is_limited;
    fielderrors_deinit(&refusals);
}

/* A policy that takes more than a slice is not looked at in one go: whether the next version refuses it
 * stays open. */
static void add_next(const struct reconcile *r, const struct checkedobject *s, struct conditions *out)
{
    struct versiondiff_report report = {.count = 0};
    if (r->next_env == NULL)
        return;
    if (s->next != NULL && check_steps(s->next) > WORKER_SLICE_STEPS)
        report.is_partial = true;
    else if (s->next != NULL)
        add_refusals(r, s->policy, &report);
    nextversion_add(out,
                    &(struct nextversion_input){.minor = r->options.also_check,
                                                .policy = s->policy,
                                                .result = check_result(s->check),
                                                .next_result = s->next == NULL ? NULL : check_result(s->next),
                                                .report = &report});
    versiondiff_deinit(&report);
}

static void on_checked(struct worker_op *base, const struct check_result *result)
{
    struct op *op = (struct op *)base;
    struct reconcile *r = owner_of(op);
    struct conditions conditions;
    count_check(op);
    op->n_warnings = result->n_warnings;
    if (worker_waits(base, result))
        return;
    struct writehistory *history = find_history(r, op);
    cleanup_mem const char **hints = checkedobject_hints(&base->subject, result);
    conditions_init(&conditions,
                    &(struct conditions_input){
                        .policy = base->subject.policy,
                        .result = result,
                        .hints = hints,
                        .binding = bindings_has(r->options.bindings, base->key) ? CONDITIONS_BINDING_FOUND
                                                                                : CONDITIONS_BINDING_NONE,
                        .text_cap_bytes = history->text_cap_bytes,
                        .newer_minor = cluster_newer_minor(r->options.cluster),
                        .table_minor = env_level(base->env),
                    });
    add_next(r, &base->subject, &conditions);
    op_plan(op, history, result, &conditions);
    conditions_deinit(&conditions);
}

static void on_turn(struct worker_op *base)
{
    struct op *op = (struct op *)base;
    struct reconcile *r = owner_of(op);
    const struct store_object *object = store_get(r->options.policies, base->key);
    expect_no_event(r, base->key);
    if (!worker_look(base, POLICYVIEW_VALIDATING, object, r->options.selector)) {
        forget_policy(r, base->key);
        worker_succeed(base);
    } else if (base->subject.check != NULL) {
        worker_check(base);
    } else if (worker_is_standby(r->worker)) {
        worker_succeed(base);
    } else {
        dependents_remove(r->options.dependents, base->key);
        op_plan(op, find_history(r, op), NULL, NULL);
    }
}

/* The whole */

static size_t on_bytes(void *user, const char *key)
{
    const struct reconcile *r = user;
    const struct store_object *object = store_get(r->options.policies, key);
    return object == NULL ? 0 : object->len;
}

static void make_next(struct reconcile *r)
{
    const int minor = r->options.also_check;
    if (minor == 0)
        return;
    r->next_env = env_new(minor, celgo_in(minor));
    r->next_new_env = env_new(minor - 1, celgo_in(minor));
}

struct reconcile *reconcile_new(const struct reconcile_options *options)
{
    static const struct worker_owner owner = {sizeof(struct op), on_turn, on_bytes, on_checked,
                                              on_free,           NULL,    NULL};
    struct reconcile *r = mem_zalloc(sizeof *r);
    r->options = *options;
    r->stats = policystats_new();
    make_next(r);
    r->worker = worker_new(&(struct worker_options){
        .owner = &owner,
        .api = options->api,
        .queue = options->queue,
        .cluster = options->cluster,
        .is_release = options->is_release,
        .dependents = options->dependents,
        .types = options->types,
        .next = {options->also_check, r->next_env},
        .room = options->room,
        .max_calls = options->max_writes,
        .is_standby = options->is_standby,
        .on_wake = options->on_wake,
        .wake_user = options->user,
        .user = r,
    });
    for (size_t i = 0; i < sizeof cause_names / sizeof cause_names[0]; i++)
        metrics_add(r->options.metrics, METRICFAMILIES_CHECKS, METRICS_LABELS(cause_names[i]), 0);
    return r;
}

void reconcile_free(struct reconcile *reconcile)
{
    if (reconcile == NULL)
        return;
    worker_free(reconcile->worker);
    keymap_deinit(&reconcile->histories, writehistory_free);
    policystats_free(reconcile->stats);
    env_free(reconcile->next_env);
    env_free(reconcile->next_new_env);
    mem_free(reconcile);
}

struct worker *reconcile_worker(const struct reconcile *reconcile)
{
    return reconcile->worker;
}

void reconcile_add(struct reconcile *reconcile, const char *key, enum reconcile_cause cause)
{
    if (is_own_event(reconcile, key, cause))
        expect_no_event(reconcile, key);
    else
        worker_add(reconcile->worker, key, cause);
}

bool reconcile_is_untidy(const struct reconcile *reconcile)
{
    enum { MUCH = 100 };
    return reconcile->counts.checked - reconcile->tidied >= MUCH;
}

bool reconcile_tidy(struct reconcile *reconcile)
{
    const bool was_at_work = reconcile->counts.checked != reconcile->tidied;
    reconcile->tidied = reconcile->counts.checked;
    mem_trim();
    return was_at_work;
}

void reconcile_cancel(struct reconcile *reconcile, const char *key)
{
    worker_cancel(reconcile->worker, key);
}

struct reconcile_counts reconcile_counts(const struct reconcile *reconcile)
{
    return reconcile->counts;
}

const struct policystats *reconcile_stats(const struct reconcile *reconcile)
{
    return reconcile->stats;
}

size_t reconcile_forbidden(const struct reconcile *reconcile)
{
    return forbidden_count(worker_forbidden(reconcile->worker));
}
