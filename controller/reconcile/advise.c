/*
 * The worker calls on_turn with an operation whenever its object may have changed. Three sorts of objects are
 * checked in three ways. Objects with expressions of policies (look_at_subject) are read from the store, and
 * the worker checks them as it checks policies. Bindings (look_at_binding) are checked at once; for
 * --find-params, a request for the params comes first. Objects that are read alone (look_at_read_alone) are
 * not in the store as a whole, because they are too large: a request reads the text of one, and its rules are
 * checked in slices. Each way ends in conclude(), which compares the conditions with those of the last check,
 * reports what is new, and keeps them. An operation owns what it has read and frees it in on_drop and
 * on_free.
 */
#include "controller/reconcile/advise.h"

#include <assert.h>
#include <string.h>

#include "client/base/log.h"
#include "client/base/mem.h"
#include "client/http/url.h"
#include "client/text/jsonval.h"
#include "client/text/jsonweight.h"
#include "controller/apiserver/crd/crdconditions.h"
#include "controller/findings/conditionnews.h"
#include "controller/findings/conditions.h"
#include "controller/findings/findingcount.h"
#include "controller/observe/metricfamilies.h"
#include "controller/reconcile/bindingcheck.h"
#include "controller/reconcile/dependents.h"
#include "controller/reconcile/paramref.h"
#include "controller/reconcile/worker.h"

/* Says why a key is in the queue. */
enum cause {
    CAUSE_RETRY = WORKQUEUE_RETRY,
    CAUSE_OBJECT,
    CAUSE_RESOURCES,
    CAUSE_SCHEMA,
    CAUSE_VERSION,
    CAUSE_POLICY, /* the policy of a binding changed */
};

static const char *const cause_names[] = {
    [CAUSE_RETRY] = "retry",   [CAUSE_OBJECT] = "object",   [CAUSE_RESOURCES] = "resources",
    [CAUSE_SCHEMA] = "schema", [CAUSE_VERSION] = "version", [CAUSE_POLICY] = "policy",
};

enum { N_CAUSES = sizeof cause_names / sizeof cause_names[0] };

enum { TRIM_BYTES = 256 * 1024 }; /* the tree of a longer text leaves many free pages */

/* The operation of one object: the work that the worker does for its key. */
struct op {
    struct worker_op base;
    const char *name; /* in the key; NULL until its first turn */
    enum advisedkind_id kind;
    /* The fields of an object that is read alone: */
    char *text; /* the object's text; NULL if it was not read yet */
    size_t len;
    struct json_object *definition; /* from here on: while it is checked */
    struct crdrules_run *run;
    struct crdrules found;
    /* The fields of a binding: */
    struct paramref params; /* the params that were asked for; .what NULL: none */
    enum paramref_answer params_answer;
    bool has_params_answer;
    uint64_t again_ms; /* when it is to be looked at again, without a change; 0: not */
};

/* The remembered state of an object. */
struct previous {
    char *uid;
    struct conditions conditions; /* of its last check; empty: there was none */
    uint64_t wrong_ms;            /* since when a binding is wrong; 0: it is not, or that is reported */
};

struct advise {
    struct advise_options options;
    struct worker *worker;
    struct workqueue *queue;
    struct metricfamilies_queue observed;
    struct dependents *dependents;
    struct keymap previous; /* key -> struct previous */
    struct keymap unread;   /* resources of parameters that could not be read, which was logged; no values */
    struct policystats *stats[ADVISEDKIND_COUNT];
    uint64_t count;
};

static struct advise *owner_of(const struct op *op)
{
    return worker_user(&op->base);
}

static bool is_asked(const struct advise *r, enum advisedkind_id kind)
{
    return (r->options.kinds & ADVISEDKIND_BIT(kind)) != 0;
}

/* Memory */

static void free_previous(void *value)
{
    struct previous *t = value;
    if (t == NULL)
        return;
    conditions_deinit(&t->conditions);
    mem_free(t->uid);
    mem_free(t);
}

/* Finds what is remembered of the object, or begins it. An object that was deleted and created again has
 * another uid, and is another object: nothing is remembered of it. */
static struct previous *find_previous(const struct op *op, const char *uid)
{
    struct advise *r = owner_of(op);
    struct previous *t = keymap_get(&r->previous, op->base.key);
    if (t != NULL && strcmp(t->uid, uid) == 0)
        return t;
    free_previous(t);
    t = mem_zalloc(sizeof *t);
    t->uid = mem_strdup(uid);
    keymap_put(&r->previous, op->base.key, t);
    return t;
}

/* Forgets an object that is gone. */
static void op_gone(struct op *op)
{
    struct advise *r = owner_of(op);
    worker_forget(r->worker, op->base.key);
    free_previous(keymap_remove(&r->previous, op->base.key));
    policystats_remove(r->stats[op->kind], op->name);
    worker_succeed(&op->base);
}

/* Frees the data of the check of rules. */
static void on_drop(struct worker_op *base)
{
    struct op *op = (struct op *)base;
    if (op->run != NULL)
        crdrules_end(op->run);
    op->run = NULL;
    crdrules_deinit(&op->found);
    op->found = (struct crdrules){0};
    json_object_put(op->definition);
    op->definition = NULL;
    if (op->len > TRIM_BYTES)
        mem_trim();
}

static void on_free(struct worker_op *base)
{
    struct op *op = (struct op *)base;
    mem_free(op->text);
    paramref_deinit(&op->params);
}

static const struct store_object *find_object(const struct op *op)
{
    const struct store *store =
        watches_store(owner_of(op)->options.watches, advisedkind_row(op->kind)->watch);
    return store == NULL ? NULL : store_get(store, op->name);
}

/* Events */

static void report(const struct op *op, const struct previous *previous, const struct conditionnews *news,
                   const struct findingcount_source *source, bool is_first)
{
    const struct advise *r = owner_of(op);
    const struct advisedkind *kind = advisedkind_row(op->kind);
    const char *version = watches_version(r->options.watches, kind->watch);
    const struct findingcount found = findingcount_of_one(news->condition, source);
    cleanup_mem char *api_version =
        mem_printf("%s/%s", kind->object->group, version == NULL ? "v1" : version);
    cleanup_mem char *note = findingcount_note(&found, news->note);
    if (news->is_warning)
        log_warn(op->base.key, "%s: %s", news->reason, note);
    else
        log_info(op->base.key, "%s: %s", news->reason, note);
    events_send(r->options.events,
                &(struct event){.about = {api_version, kind->object->name, op->name, previous->uid},
                                .is_warning = news->is_warning,
                                .reason = news->reason,
                                .action = "TypeCheck",
                                .note = note,
                                .topic = news->is_warning ? news->type : NULL,
                                .is_known = is_first});
}

/* Tries again later an object that could not be read. */
static void op_again(struct op *op, const struct err *err)
{
    if (err->code == ERR_THROTTLED)
        worker_rest(&op->base, err->retry_after_ms);
    else
        worker_fail(&op->base);
}

static void op_done(struct op *op)
{
    if (op->again_ms > 0)
        worker_later(&op->base, op->again_ms);
    else
        worker_succeed(&op->base);
}

/* Reports what is new in the conditions, and keeps them (it takes them), since the next check is compared
 * with them. */
static void conclude(struct op *op, struct previous *previous, struct conditions *take_conditions,
                     const struct findingcount_source *source, const struct policystats_entry *entry)
{
    struct conditionnews news[CONDITIONNEWS_MAX];
    bool is_first = previous->conditions.count == 0;
    size_t count = conditionnews_since(&previous->conditions, take_conditions, news);
    for (size_t i = 0; i < count; i++)
        report(op, previous, &news[i], source, is_first);
    conditions_deinit(&previous->conditions);
    previous->conditions = *take_conditions;
    policystats_note(owner_of(op)->stats[op->kind], op->name, entry);
    op_done(op);
}

/* A label or an annotation asks to leave the object alone: its findings are forgotten. */
static void leave_alone(struct op *op, struct previous *previous)
{
    const struct policystats_entry entry = policystats_read(NULL, NULL);
    struct advise *r = owner_of(op);
    conditions_deinit(&previous->conditions);
    dependents_remove(r->dependents, op->base.key);
    policystats_note(r->stats[op->kind], op->name, &entry);
    worker_succeed(&op->base);
}

static void count_check(const struct op *op, uint64_t took_ns)
{
    struct advise *r = owner_of(op);
    const char *kind = advisedkind_row(op->kind)->object->name;
    r->count++;
    metrics_add(r->options.metrics, METRICFAMILIES_OBJECT_CHECKS,
                METRICS_LABELS(kind, cause_names[workqueue_cause(r->queue, op->base.key)]), 1);
    metrics_observe(r->options.metrics, METRICFAMILIES_OBJECT_CHECK_TIME, METRICS_LABELS(kind),
                    (double)took_ns / 1e9);
}

/* Objects with expressions of policies */

static void look_at_subject(struct op *op)
{
    const struct advise_options *o = &owner_of(op)->options;
    const struct advisedkind *kind = advisedkind_row(op->kind);
    const struct labelselector *selector = kind->is_selected ? o->selector : NULL;
    if (!worker_look(&op->base, kind->view, find_object(op), selector))
        op_gone(op);
    else if (op->base.subject.check != NULL)
        worker_check(&op->base);
    else
        leave_alone(op, find_previous(op, op->base.subject.policy->uid));
}

static void on_subject_checked(struct op *op, const struct check_result *result)
{
    const struct worker_op *base = &op->base;
    struct previous *previous = find_previous(op, base->subject.policy->uid);
    struct conditions conditions;
    count_check(op, base->spent_ns);
    if (worker_waits(&op->base, result))
        return;
    cleanup_mem const char **hints = checkedobject_hints(&base->subject, result);
    conditions_init(&conditions, &(struct conditions_input){
                                     .policy = base->subject.policy,
                                     .result = result,
                                     .hints = hints,
                                     .newer_minor = cluster_newer_minor(owner_of(op)->options.cluster),
                                     .table_minor = env_level(base->env)});
    const struct policystats_entry entry = policystats_read(result, &conditions);
    conclude(op, previous, &conditions, &(struct findingcount_source){.result = result}, &entry);
}

/* Bindings */

/* Returns true if the faults of a binding may still pass by themselves: a binding and its policy are applied
 * one after the other. *left_ms is the time until they are reported. */
static bool is_settling(struct previous *previous, size_t faults, uint64_t now_ms, uint64_t *left_ms)
{
    if (faults == 0 || bindingcheck_faults(&previous->conditions) > 0) {
        previous->wrong_ms = 0;
        return false;
    }
    if (previous->wrong_ms == 0)
        previous->wrong_ms = now_ms;
    *left_ms = previous->wrong_ms + ADVISE_SETTLE_MS - now_ms;
    return now_ms - previous->wrong_ms < ADVISE_SETTLE_MS;
}

static void params_unreadable(struct op *op, const struct err *err)
{
    struct advise *r = owner_of(op);
    if (err->code == ERR_FORBIDDEN) {
        if (keymap_add(&r->unread, op->params.resource))
            log_error(op->base.key,
                      "its parameters may not be looked for: --find-params needs the rights to get "
                      "and list %s: %s",
                      op->params.resource, err->msg);
        worker_turn_again(&op->base);
        return;
    }
    log_warn(op->base.key, "its parameters cannot be looked for: %s", err->msg);
    op_again(op, err);
}

static void on_params_read(void *user, const struct err *err, const struct api_reply *reply)
{
    struct op *op = user;
    struct err why = {0};
    worker_answered(&op->base);
    err_copy(&why, err);
    op->has_params_answer = true;
    op->params_answer =
        paramref_read(&op->params, err == NULL ? reply->body : NULL, err == NULL ? reply->len : 0, &why);
    if (op->params_answer == PARAMREF_UNREADABLE) {
        params_unreadable(op, &why);
        return;
    }
    keymap_remove(&owner_of(op)->unread, op->params.resource);
    worker_turn_again(&op->base);
}

/* Returns true if the check must wait for the server's answer. Params that cannot be read are not a finding:
 * the log has them. */
static bool ask_for_params(struct op *op, struct json_object *binding, struct conditions *out)
{
    const struct advise_options *o = &owner_of(op)->options;
    const char *policy = jsonval_string_or_empty(jsonval_get(binding, "spec"), "policyName");
    if (!op->has_params_answer) {
        paramref_deinit(&op->params);
        if (!paramref_init(&op->params, binding,
                           store_get(watches_store(o->watches, WATCHES_POLICIES), policy),
                           cluster_discovery(o->cluster)))
            return false;
        if (op->params.path != NULL) {
            worker_call(&op->base,
                        api_get(o->api,
                                &(struct api_get){.path = op->params.path, .accept = op->params.accept},
                                on_params_read, op));
            return true;
        }
    }
    op->again_ms = op->params.path == NULL ? 0 : ADVISE_PARAMS_MS;
    if (!op->has_params_answer || op->params_answer != PARAMREF_UNREADABLE)
        paramref_add(out, &op->params, op->params_answer, "");
    return false;
}

/* Checks a binding. Nothing is remembered of a binding that was never wrong, since there are as many bindings
 * as policies. */
static void check_binding(struct op *op, struct json_object *json)
{
    const struct advise *r = owner_of(op);
    struct conditions conditions;
    uint64_t left_ms;
    bindingcheck_init(&conditions, &(struct bindingcheck_input){
                                       .binding = json,
                                       .policies = watches_store(r->options.watches, WATCHES_POLICIES),
                                       .discovery = cluster_discovery(r->options.cluster)});
    if (r->options.has_find_params && bindingcheck_faults(&conditions) == 0 &&
        ask_for_params(op, json, &conditions)) {
        conditions_deinit(&conditions);
        return;
    }
    const size_t faults = bindingcheck_faults(&conditions);
    const struct policystats_entry entry = policystats_read_binding(faults, &conditions);
    if (faults == 0 && keymap_get(&r->previous, op->base.key) == NULL) {
        count_check(op, 0);
        policystats_note(r->stats[op->kind], op->name, &entry);
        conditions_deinit(&conditions);
        op_done(op);
        return;
    }
    struct previous *previous = find_previous(op, jsonval_metadata(json, "uid"));
    if (is_settling(previous, faults, worker_now_ms(r->worker), &left_ms)) {
        conditions_deinit(&conditions);
        worker_later(&op->base, left_ms);
        return;
    }
    count_check(op, 0);
    conclude(op, previous, &conditions, &(struct findingcount_source){.result = NULL}, &entry);
}

/* Nothing is known of a binding that is left out of the store. */
static void look_at_binding(struct op *op)
{
    const struct store_object *object = find_object(op);
    cleanup_json struct json_object *json = NULL;
    struct err err = {0};
    if (worker_renew(&op->base))
        op->has_params_answer = false;
    if (object == NULL)
        op_gone(op);
    else if (worker_is_standby(owner_of(op)->worker) || object->left_out != STORE_WHOLE ||
             store_parse(object, &json, &err) != 0)
        worker_succeed(&op->base);
    else if (checkedobject_is_left_alone(json, NULL))
        leave_alone(op, find_previous(op, object->uid));
    else
        check_binding(op, json);
}

/* Objects that are read alone */

static void op_refused(struct op *op, const char *why)
{
    const struct advisedkind *kind = advisedkind_row(op->kind);
    if (worker_refused(&op->base) != FORBIDDEN_KNOWN)
        log_error(op->base.key, "may not be read, so no %s is checked: %s needs the right to get %s: %s",
                  kind->object->name, kind->flag, kind->object->resource, why);
    worker_wait_for_right(&op->base);
}

/* Ends the check of an object that is not read: its text is too long, or its tree would be too large. */
static void conclude_unread(struct op *op, const char *why)
{
    const struct store_object *object = find_object(op);
    struct conditions conditions;
    if (object == NULL) {
        op_gone(op);
        return;
    }
    count_check(op, 0);
    crdconditions_init_unread(&conditions, why);
    const struct policystats_entry entry = policystats_read_rules(0, &conditions);
    conclude(op, find_previous(op, object->uid), &conditions, &(struct findingcount_source){.refusals = 0},
             &entry);
}

static void read_failed(struct op *op, const struct err *err)
{
    if (err->code == ERR_LIMIT) {
        worker_granted(&op->base);
        conclude_unread(op, "its JSON text is too long");
    } else if (err->code == ERR_NOT_FOUND) {
        worker_granted(&op->base);
        op_gone(op);
    } else if (err->code == ERR_FORBIDDEN) {
        op_refused(op, err->msg);
    } else {
        log_warn(op->base.key, "cannot be read: %s", err->msg);
        op_again(op, err);
    }
}

static void on_read(void *user, const struct err *err, const struct api_reply *reply)
{
    struct op *op = user;
    worker_answered(&op->base);
    if (err != NULL) {
        read_failed(op, err);
        return;
    }
    worker_granted(&op->base);
    op->text = mem_strndup(reply->body, reply->len);
    op->len = op->base.bytes = reply->len;
    op->base.tree_bytes = jsonweight(op->text, op->len);
    worker_turn_again(&op->base);
}

static void start_read(struct op *op)
{
    struct advise *r = owner_of(op);
    const struct advisedkind *kind = advisedkind_row(op->kind);
    const char *version = watches_version(r->options.watches, kind->watch);
    if (find_object(op) == NULL || version == NULL) {
        op_gone(op);
        return;
    }
    if (worker_is_standby(r->worker)) {
        worker_succeed(&op->base);
        return;
    }
    if (!worker_may_call(&op->base))
        return;
    cleanup_mem char *group_version = mem_printf("%s/%s", kind->object->group, version);
    cleanup_mem char *path = url_resource(&(struct url_resource){
        .group_version = group_version, .resource = kind->object->resource, .name = op->name});
    worker_call(&op->base, api_get(r->options.api, &(struct api_get){.path = path}, on_read, op));
}

static const char *uid_of(const struct op *op)
{
    return jsonval_metadata(op->definition, "uid");
}

static bool on_slice(struct worker_op *base, uint64_t steps)
{
    struct op *op = (struct op *)base;
    return op->run != NULL && crdrules_step(op->run, steps);
}

static void on_rules_checked(struct op *op)
{
    struct conditions conditions;
    count_check(op, op->base.spent_ns);
    crdconditions_init(&conditions, &op->found);
    const struct policystats_entry entry = policystats_read_rules(op->found.refusals.count, &conditions);
    conclude(op, find_previous(op, uid_of(op)), &conditions,
             &(struct findingcount_source){.refusals = op->found.refusals.count}, &entry);
}

/* Checks as kubectl-vapcheck does, but compiles the rules in the environment of stored expressions. */
static void check_rules(struct op *op)
{
    if (crdrules_any(op->definition))
        op->run = crdrules_start(op->definition, cluster_env(owner_of(op)->options.cluster), &op->found);
    worker_check_own(&op->base);
}

static void look_at_text(struct op *op)
{
    struct err err = {0};
    if (op->base.tree_bytes > STORE_TREE_CAP_BYTES) {
        conclude_unread(op, "it has too many fields and elements");
    } else if (jsonval_parse(op->text, op->len, &op->definition, &err) != 0) {
        log_warn(op->base.key, "cannot be read: %s", err.msg);
        worker_fail(&op->base);
    } else if (checkedobject_is_left_alone(op->definition, NULL)) {
        struct previous *previous = find_previous(op, uid_of(op));
        on_drop(&op->base);
        leave_alone(op, previous);
    } else {
        check_rules(op);
    }
}

/* A text that is older than the object is read again. */
static void look_at_read_alone(struct op *op)
{
    if (worker_renew(&op->base)) {
        mem_free(op->text);
        op->text = NULL;
    }
    if (op->text == NULL)
        start_read(op);
    else
        look_at_text(op);
}

/* result NULL: rules were checked. */
static void on_checked(struct worker_op *base, const struct check_result *result)
{
    struct op *op = (struct op *)base;
    if (result != NULL)
        on_subject_checked(op, result);
    else
        on_rules_checked(op);
}

static void on_turn(struct worker_op *base)
{
    struct op *op = (struct op *)base;
    bool is_kind = advisedkind_parse_key(base->key, &op->kind, &op->name);
    assert(is_kind);
    (void)is_kind;
    if (advisedkind_row(op->kind)->is_binding)
        look_at_binding(op);
    else if (advisedkind_row(op->kind)->is_read_alone)
        look_at_read_alone(op);
    else
        look_at_subject(op);
}

/* The whole */

static size_t on_bytes(void *user, const char *key)
{
    const struct advise *r = user;
    enum advisedkind_id kind;
    const char *name;
    const struct store *store = advisedkind_parse_key(key, &kind, &name)
                                    ? watches_store(r->options.watches, advisedkind_row(kind)->watch)
                                    : NULL;
    const struct store_object *object = store == NULL ? NULL : store_get(store, name);
    return object == NULL ? 0 : object->len;
}

struct advise *advise_new(const struct advise_options *options)
{
    static const struct worker_owner owner = {sizeof(struct op), on_turn,  on_bytes, on_checked,
                                              on_free,           on_slice, on_drop};
    struct advise *r = mem_zalloc(sizeof *r);
    r->options = *options;
    r->queue = workqueue_new();
    r->dependents = dependents_new();
    r->worker = worker_new(&(struct worker_options){
        .owner = &owner,
        .api = options->api,
        .queue = r->queue,
        .cluster = options->cluster,
        .dependents = r->dependents,
        .types = options->types,
        .room = options->room,
        .max_calls = ADVISE_READS_MAX,
        .is_standby = options->is_standby,
        .on_wake = options->on_wake,
        .wake_user = options->user,
        .user = r,
    });
    metricfamilies_observe_queue(&r->observed, options->metrics, r->queue, "objects");
    for (size_t i = 0; i < ADVISEDKIND_COUNT; i++) {
        r->stats[i] = policystats_new();
        for (size_t j = 0; is_asked(r, (enum advisedkind_id)i) && j < N_CAUSES; j++)
            metrics_add(options->metrics, METRICFAMILIES_OBJECT_CHECKS,
                        METRICS_LABELS(advisedkind_row((enum advisedkind_id)i)->object->name, cause_names[j]),
                        0);
    }
    return r;
}

void advise_free(struct advise *advise)
{
    if (advise == NULL)
        return;
    worker_free(advise->worker);
    keymap_deinit(&advise->previous, free_previous);
    keymap_deinit(&advise->unread, NULL);
    for (size_t i = 0; i < ADVISEDKIND_COUNT; i++)
        policystats_free(advise->stats[i]);
    dependents_free(advise->dependents);
    workqueue_free(advise->queue);
    mem_free(advise);
}

struct worker *advise_worker(const struct advise *advise)
{
    return advise->worker;
}

/* Changes */

static void add(struct advise *r, const char *key, enum cause cause)
{
    worker_add(r->worker, key, cause);
}

/* Objects that something names, to be checked again for one cause. */
struct requeue {
    struct advise *advise;
    enum advisedkind_id kind;
    enum cause cause;
};

static void requeue(void *user, const char *key)
{
    const struct requeue *why = user;
    add(why->advise, key, why->cause);
}

static void requeue_object(void *user, const struct store_object *object)
{
    const struct requeue *why = user;
    cleanup_mem char *key = advisedkind_key(why->kind, object->key);
    add(why->advise, key, why->cause);
}

static void requeue_kind(struct advise *r, enum advisedkind_id kind, enum cause cause)
{
    struct requeue why = {r, kind, cause};
    const struct store *store = watches_store(r->options.watches, advisedkind_row(kind)->watch);
    if (is_asked(r, kind) && store != NULL)
        store_each(store, requeue_object, &why);
}

static void requeue_all(struct advise *r, enum cause cause)
{
    for (size_t i = 0; i < ADVISEDKIND_COUNT; i++)
        requeue_kind(r, (enum advisedkind_id)i, cause);
}

void advise_start(struct advise *advise)
{
    requeue_all(advise, CAUSE_OBJECT);
}

void advise_on_version(struct advise *advise)
{
    requeue_all(advise, CAUSE_VERSION);
}

void advise_on_group(struct advise *advise, const char *group)
{
    struct requeue why = {.advise = advise, .cause = CAUSE_RESOURCES};
    dependents_visit_group(advise->dependents, group, requeue, &why);
    requeue_kind(advise, ADVISEDKIND_BINDINGS, CAUSE_RESOURCES);
}

void advise_on_policy(struct advise *advise, const char *binding)
{
    cleanup_mem char *key = advisedkind_key(ADVISEDKIND_BINDINGS, binding);
    add(advise, key, CAUSE_POLICY);
}

void advise_on_document(struct advise *advise, const char *path)
{
    struct requeue why = {.advise = advise, .cause = CAUSE_SCHEMA};
    dependents_visit_path(advise->dependents, path, requeue, &why);
}

bool advise_needs_document(const struct advise *advise, const char *path)
{
    return dependents_have_path(advise->dependents, path);
}

void advise_change(struct advise *advise, enum advisedkind_id kind, const struct store_object *now,
                   const struct store_object *before)
{
    if (!is_asked(advise, kind))
        return;
    cleanup_mem char *key = advisedkind_key(kind, now != NULL ? now->key : before->key);
    if (now == NULL)
        worker_cancel(advise->worker, key);
    add(advise, key, CAUSE_OBJECT);
}

/* Keys of one kind. */
struct collecting {
    enum advisedkind_id kind;
    char **keys;
    size_t count;
};

static void collect(void *user, const char *key, void *value)
{
    struct collecting *c = user;
    enum advisedkind_id kind;
    const char *name;
    (void)value;
    if (advisedkind_parse_key(key, &kind, &name) && kind == c->kind)
        c->keys[c->count++] = mem_strdup(key);
}

/* The objects are queued once more; their checks then find that they are gone, and forget them. */
void advise_drop(struct advise *advise, enum advisedkind_id kind)
{
    struct collecting c = {.kind = kind, .keys = mem_array(advise->previous.count + 1, sizeof(char *))};
    keymap_each(&advise->previous, collect, &c);
    for (size_t i = 0; i < c.count; i++) {
        add(advise, c.keys[i], CAUSE_OBJECT);
        mem_free(c.keys[i]);
    }
    mem_free(c.keys);
    if (advisedkind_row(kind)->is_read_alone)
        worker_forget_refusals(advise->worker);
}

bool advise_is_refused(const struct advise *advise, enum advisedkind_id kind)
{
    return advisedkind_row(kind)->is_read_alone && forbidden_count(worker_forbidden(advise->worker)) > 0;
}

void advise_scrape(const struct advise *advise, struct metrics *metrics)
{
    metricfamilies_begin_objects(metrics);
    for (size_t i = 0; i < ADVISEDKIND_COUNT; i++) {
        if (is_asked(advise, (enum advisedkind_id)i))
            metricfamilies_read_objects(metrics, advisedkind_row((enum advisedkind_id)i)->object->name,
                                        advise->stats[i]);
    }
    metricfamilies_read_queue(&advise->observed, worker_now_ms(advise->worker));
}

uint64_t advise_count(const struct advise *advise)
{
    return advise->count;
}
