#include "controller/review.h"

#include <assert.h>
#include <string.h>

#include "client/jsonval.h"
#include "client/log.h"
#include "client/mem.h"
#include "client/url.h"
#include "controller/conditions.h"
#include "controller/crdrules.h"
#include "controller/dependents.h"
#include "controller/due.h"
#include "controller/forbidden.h"
#include "controller/gather.h"
#include "controller/subject.h"
#include "controller/telemetry.h"
#include "controller/transition.h"
#include "controller/workqueue.h"

/*
 * NEW       -- its text is elsewhere --> READING; documents are missing --> GATHERING; else --> READY
 * GATHERING -- the documents are there --> READY, in the line
 * READING   -- the object's text is there --> READY, in the line
 *           -- it is not, and is gone, or is tried again later --> gone
 * READY     -- documents of a changed object are missing --> GATHERING; checked and told --> gone
 * any       -- the object was deleted, review_free --> gone
 */
enum op_state { OP_NEW, OP_GATHERING, OP_READING, OP_READY };

static const char *const state_names[] = {"new", "gathering", "reading", "ready"};

/* ORDER REVIEW_CAUSES: why a key is in the queue. */
enum cause { CAUSE_RETRY = WORKQUEUE_RETRY, CAUSE_OBJECT, CAUSE_RESOURCES, CAUSE_SCHEMA, CAUSE_VERSION };

static const char *const cause_names[] = {"retry", "object", "resources", "schema", "version"};

enum { N_CAUSES = sizeof cause_names / sizeof cause_names[0] };

enum { TRIM_BYTES = 256 * 1024 }; /* of a text whose tree leaves pages worth giving back */

/* One key in work. */
struct op {
    struct review *review;
    char *key;
    const char *name; /* in the key */
    enum kind_id kind;
    enum op_state state;
    struct op *next; /* in the line */
    struct gather gather;
    struct api_call *read;
    char *text; /* READY: of one that was read alone */
    size_t len;
};

/* What is remembered of an object. */
struct told {
    char *uid;
    struct conditions conditions; /* of its last check; empty: there was none */
    struct memo *memo;            /* for its waiting alone */
};

struct review {
    struct review_options options;
    struct workqueue *queue;
    struct telemetry_queue observed;
    struct dependents *dependents;
    struct keymap ops;  /* key -> struct op */
    struct keymap told; /* key -> struct told */
    struct tally *tallies[KIND_COUNT];
    struct forbidden *forbidden[KIND_COUNT];
    struct op *first, **last;
    size_t reads;
    uint64_t count;
};

static uint64_t now_ms(const struct review *r)
{
    return uv_now(api_loop(r->options.api));
}

static void enter(struct op *op, enum op_state state)
{
    assert(op->state == OP_NEW || state == OP_READY || (state == OP_GATHERING && op->state == OP_READY));
    log_debug(op->key, "%s -> %s", state_names[op->state], state_names[state]);
    op->state = state;
}

static bool is_asked(const struct review *r, enum kind_id kind)
{
    return (r->options.kinds & KIND_BIT(kind)) != 0;
}

/* What is remembered */

static void free_told(void *value)
{
    struct told *t = value;
    if (t == NULL)
        return;
    conditions_deinit(&t->conditions);
    memo_free(t->memo);
    mem_free(t->uid);
    mem_free(t);
}

/* One that was deleted and created again is another. */
static struct told *find_told(struct review *r, const struct op *op, const char *uid)
{
    struct told *t = keymap_get(&r->told, op->key);
    if (t != NULL && strcmp(t->uid, uid) == 0)
        return t;
    free_told(t);
    t = mem_zalloc(sizeof *t);
    t->uid = mem_strdup(uid);
    t->memo = memo_new();
    keymap_put(&r->told, op->key, t);
    return t;
}

static void forget(struct review *r, enum kind_id kind, const char *key, const char *name)
{
    dependents_remove(r->dependents, key);
    free_told(keymap_remove(&r->told, key));
    tally_remove(r->tallies[kind], name);
    forbidden_remove(r->forbidden[kind], key);
    events_forget(r->options.events, kind_row(kind)->name, name);
}

/* Operations */

static struct op *op_new(struct review *r, const char *key)
{
    struct op *op = mem_zalloc(sizeof *op);
    op->review = r;
    op->key = mem_strdup(key);
    bool is_kind = kind_parse_key(op->key, &op->kind, &op->name);
    assert(is_kind);
    (void)is_kind;
    keymap_put(&r->ops, key, op);
    return op;
}

static void leave_line(struct op *op)
{
    struct review *r = op->review;
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
    gather_deinit(&op->gather);
    api_cancel(op->read);
    mem_free(op->text);
    mem_free(op->key);
    mem_free(op);
}

/* The key is done; if it changed meanwhile the queue has it again. */
static void op_end(struct op *op)
{
    struct review *r = op->review;
    if (op->state == OP_READY)
        leave_line(op);
    if (op->state == OP_READING)
        r->reads--;
    keymap_remove(&r->ops, op->key);
    workqueue_done(r->queue, op->key, now_ms(r));
    op_free(op);
    r->options.on_wake(r->options.user);
}

static void op_succeed(struct op *op)
{
    workqueue_forget(op->review->queue, op->key);
    op_end(op);
}

static void op_later(struct op *op, uint64_t delay_ms)
{
    struct review *r = op->review;
    workqueue_forget(r->queue, op->key);
    workqueue_add_after(r->queue, op->key, delay_ms, now_ms(r));
    op_end(op);
}

static void op_fail(struct op *op, const struct err *err)
{
    struct review *r = op->review;
    log_warn(op->key, "cannot be read: %s", err->msg);
    workqueue_add_failed(r->queue, op->key, now_ms(r));
    op_end(op);
}

static void op_gone(struct op *op)
{
    forget(op->review, op->kind, op->key, op->name);
    op_succeed(op);
}

static void op_line_up(struct op *op)
{
    struct review *r = op->review;
    enter(op, OP_READY);
    op->next = NULL;
    *r->last = op;
    r->last = &op->next;
    r->options.on_wake(r->options.user);
}

static const struct store_object *find_object(const struct op *op)
{
    const struct store *store = watches_store(op->review->options.watches, kind_row(op->kind)->watch);
    return store == NULL ? NULL : store_get(store, op->name);
}

/* Telling */

static void tell(const struct op *op, const struct told *told, const struct transition *news, bool is_first)
{
    const struct review *r = op->review;
    const struct kind *kind = kind_row(op->kind);
    const char *version = watches_version(r->options.watches, kind->watch);
    cleanup_mem char *api_version = mem_printf("%s/%s", kind->group, version == NULL ? "v1" : version);
    if (news->is_warning)
        log_warn(op->key, "%s: %s", news->reason, news->note);
    else
        log_info(op->key, "%s: %s", news->reason, news->note);
    events_send(r->options.events, &(struct event){.about = {api_version, kind->name, op->name, told->uid},
                                                   .is_warning = news->is_warning,
                                                   .reason = news->reason,
                                                   .action = "TypeCheck",
                                                   .note = news->note,
                                                   .topic = news->is_warning ? news->type : NULL,
                                                   .is_known = is_first});
}

/* Takes what was found: it is what the next check is compared with. */
static void conclude(struct op *op, struct told *told, struct conditions *take_conditions,
                     const struct tally_entry *entry)
{
    struct transition news[TRANSITION_MAX];
    bool is_first = told->conditions.count == 0;
    size_t count = transition_since(&told->conditions, take_conditions, news);
    for (size_t i = 0; i < count; i++)
        tell(op, told, &news[i], is_first);
    conditions_deinit(&told->conditions);
    told->conditions = *take_conditions;
    tally_note(op->review->tallies[op->kind], op->name, entry);
    op_succeed(op);
}

/* Somebody wants it left alone: what was found in it is forgotten. */
static void leave_alone(struct op *op, struct told *told)
{
    const struct tally_entry entry = tally_read(NULL, NULL);
    conditions_deinit(&told->conditions);
    dependents_remove(op->review->dependents, op->key);
    tally_note(op->review->tallies[op->kind], op->name, &entry);
    op_succeed(op);
}

static void count_check(const struct op *op, uint64_t began_ns)
{
    struct review *r = op->review;
    const char *kind = kind_row(op->kind)->name;
    r->count++;
    metrics_add(r->options.metrics, TELEMETRY_OBJECT_CHECKS,
                METRICS_LABELS(kind, cause_names[workqueue_cause(r->queue, op->key)]), 1);
    metrics_observe(r->options.metrics, TELEMETRY_OBJECT_CHECK_TIME, METRICS_LABELS(kind),
                    (double)(uv_hrtime() - began_ns) / 1e9);
}

/* What has expressions of policies */

static bool find_subject(struct subject *s, const struct op *op)
{
    const struct review_options *o = &op->review->options;
    const struct kind *kind = kind_row(op->kind);
    return subject_init(s, kind->view, find_object(op), cluster_discovery(o->cluster), &o->types,
                        kind->is_selected ? o->selector : NULL);
}

static void on_gathered(void *user)
{
    op_line_up(user);
}

/* True if documents have to be gathered first: then that has begun. */
static bool op_gather(struct op *op, const struct subject *s)
{
    struct openapi *openapi = cluster_openapi(op->review->options.cluster);
    if (s->check == NULL || !gather_start(&op->gather, openapi, s->check, on_gathered, op))
        return false;
    if (op->state == OP_READY)
        leave_line(op);
    enter(op, OP_GATHERING);
    /* in the turn in which they are asked for: a change from now on must find the object */
    subject_note(s, op->review->dependents, op->key, op->review->options.types.scope, NULL);
    return true;
}

static void check_subject(struct op *op, const struct subject *s)
{
    struct review *r = op->review;
    struct cluster *cluster = r->options.cluster;
    const struct env *env = cluster_env(cluster);
    struct told *told = find_told(r, op, s->policy->uid);
    const uint64_t began_ns = uv_hrtime();
    const struct check_result *result = check_run(s->check, env, gather_lookup, cluster_openapi(cluster));
    struct conditions conditions;
    count_check(op, began_ns);
    subject_note(s, r->dependents, op->key, r->options.types.scope, result);
    uint64_t wait_ms = gather_wait_ms(cluster, told->memo, result, now_ms(r));
    if (wait_ms > 0) {
        log_debug(op->key, "waits for a group that was not read yet");
        op_later(op, wait_ms);
        return;
    }
    conditions_init(&conditions, &(struct conditions_input){.policy = s->policy,
                                                            .result = result,
                                                            .newer_minor = cluster_newer_minor(cluster),
                                                            .table_minor = env_level(env)});
    const struct tally_entry entry = tally_read(result, &conditions);
    conclude(op, told, &conditions, &entry);
}

/* Checked as the object is now, which may be another version than the one whose documents were gathered. */
static void decide_subject(struct op *op)
{
    struct subject s;
    if (!find_subject(&s, op)) {
        op_gone(op);
        return;
    }
    if (!op_gather(op, &s)) {
        if (op->state == OP_NEW)
            enter(op, OP_READY);
        if (s.check == NULL)
            leave_alone(op, find_told(op->review, op, s.policy->uid));
        else
            check_subject(op, &s);
    }
    subject_deinit(&s);
}

/* What is read alone */

static void op_refused(struct op *op, const char *why)
{
    struct review *r = op->review;
    struct forbidden *forbidden = r->forbidden[op->kind];
    if (forbidden_count(forbidden) == 0)
        log_error(op->key, "may not be read, so no %s is checked: %s asks for the right to get %s: %s",
                  kind_row(op->kind)->name, kind_row(op->kind)->flag, kind_row(op->kind)->resource, why);
    forbidden_put(forbidden, op->key, now_ms(r));
    op_succeed(op);
}

static void on_read(void *user, const struct err *err, const struct api_reply *reply)
{
    struct op *op = user;
    struct review *r = op->review;
    op->read = NULL;
    if (err == NULL) {
        forbidden_grant(r->forbidden[op->kind], op->key);
        r->reads--;
        op->text = mem_strndup(reply->body, reply->len);
        op->len = reply->len;
        op_line_up(op);
    } else if (err->code == ERR_NOT_FOUND) {
        op_gone(op);
    } else if (err->code == ERR_FORBIDDEN) {
        op_refused(op, err->msg);
    } else {
        op_fail(op, err);
    }
}

static void start_read(struct op *op)
{
    struct review *r = op->review;
    const struct kind *kind = kind_row(op->kind);
    const char *version = watches_version(r->options.watches, kind->watch);
    if (find_object(op) == NULL || version == NULL) {
        op_gone(op);
        return;
    }
    cleanup_buf struct buf path;
    buf_init(&path, URL_CAP_BYTES);
    buf_printf(&path, "/apis/%s/%s/%s/", kind->group, version, kind->resource);
    url_put_encoded(&path, op->name);
    enter(op, OP_READING);
    r->reads++;
    op->read = api_get(r->options.api, &(struct api_get){.path = path.data}, on_read, op);
}

/* As kubectl-vapcheck does, but that what is stored is compiled with what stored expressions have. */
static void check_rules(struct op *op, struct told *told, struct json_object *definition)
{
    struct crdrules found = {0};
    struct conditions conditions;
    const uint64_t began_ns = uv_hrtime();
    if (crdrules_any(definition))
        crdrules_check(definition, cluster_env(op->review->options.cluster), &found);
    count_check(op, began_ns);
    conditions_of_rules(&conditions, &found);
    const struct tally_entry entry = tally_read_rules(&found, &conditions);
    crdrules_deinit(&found);
    conclude(op, told, &conditions, &entry);
}

static void decide_read(struct op *op)
{
    struct json_object *json = NULL;
    struct err err = {0};
    bool is_large = op->len > TRIM_BYTES;
    if (jsonval_parse(op->text, op->len, &json, &err) != 0) {
        op_fail(op, &err);
    } else {
        const char *uid = jsonval_string_or_empty(jsonval_get(json, "metadata"), "uid");
        struct told *told = find_told(op->review, op, uid);
        if (subject_is_left_alone(json, NULL))
            leave_alone(op, told);
        else
            check_rules(op, told, json);
    }
    json_object_put(json);
    if (is_large)
        mem_trim();
}

/* The whole */

struct review *review_new(const struct review_options *options)
{
    struct review *r = mem_zalloc(sizeof *r);
    r->options = *options;
    r->queue = workqueue_new();
    r->dependents = dependents_new();
    r->last = &r->first;
    telemetry_observe_queue(&r->observed, options->metrics, r->queue, "objects");
    for (size_t i = 0; i < KIND_COUNT; i++) {
        r->tallies[i] = tally_new();
        r->forbidden[i] = forbidden_new();
        for (size_t j = 0; is_asked(r, (enum kind_id)i) && j < N_CAUSES; j++)
            metrics_add(options->metrics, TELEMETRY_OBJECT_CHECKS,
                        METRICS_LABELS(kind_row((enum kind_id)i)->name, cause_names[j]), 0);
    }
    return r;
}

static void free_op(void *value)
{
    op_free(value);
}

void review_free(struct review *review)
{
    if (review == NULL)
        return;
    keymap_deinit(&review->ops, free_op);
    keymap_deinit(&review->told, free_told);
    for (size_t i = 0; i < KIND_COUNT; i++) {
        tally_free(review->tallies[i]);
        forbidden_free(review->forbidden[i]);
    }
    dependents_free(review->dependents);
    workqueue_free(review->queue);
    mem_free(review);
}

static void retry_refused(struct review *r)
{
    const char *key;
    for (size_t i = 0; i < KIND_COUNT; i++) {
        while ((key = forbidden_take(r->forbidden[i], now_ms(r))) != NULL)
            workqueue_add(r->queue, key, CAUSE_RETRY, now_ms(r));
    }
}

bool review_step(struct review *review)
{
    struct op *op = review->first;
    if (op != NULL) {
        (kind_row(op->kind)->is_read_alone ? decide_read : decide_subject)(op);
        return true;
    }
    /* what waits in the queue costs nothing, and is checked once */
    if (review->reads >= REVIEW_READS_MAX)
        return false;
    retry_refused(review);
    const char *key = workqueue_take(review->queue, now_ms(review));
    if (key == NULL)
        return false;
    op = op_new(review, key);
    (kind_row(op->kind)->is_read_alone ? start_read : decide_subject)(op);
    return true;
}

uint64_t review_next_ms(const struct review *review)
{
    if (review->reads >= REVIEW_READS_MAX)
        return DUE_NEVER; /* the end of one wakes */
    uint64_t due_ms = workqueue_next_ms(review->queue);
    for (size_t i = 0; i < KIND_COUNT; i++)
        due_ms = due_first(due_ms, forbidden_next_ms(review->forbidden[i]));
    return due_ms;
}

/* What changes */

static void add(struct review *r, const char *key, enum cause cause)
{
    workqueue_add(r->queue, key, cause, now_ms(r));
    r->options.on_wake(r->options.user);
}

/* Objects that something names, to be checked again for one cause. */
struct requeue {
    struct review *review;
    enum kind_id kind;
    enum cause cause;
};

static void requeue(void *user, const char *key)
{
    const struct requeue *why = user;
    add(why->review, key, why->cause);
}

static void requeue_object(void *user, const struct store_object *object)
{
    const struct requeue *why = user;
    cleanup_mem char *key = kind_key(why->kind, object->key);
    add(why->review, key, why->cause);
}

static void requeue_all(struct review *r, enum cause cause)
{
    for (size_t i = 0; i < KIND_COUNT; i++) {
        struct requeue why = {r, (enum kind_id)i, cause};
        const struct store *store = watches_store(r->options.watches, kind_row(why.kind)->watch);
        if (is_asked(r, why.kind) && store != NULL)
            store_each(store, requeue_object, &why);
    }
}

void review_start(struct review *review)
{
    requeue_all(review, CAUSE_OBJECT);
}

void review_on_version(struct review *review)
{
    requeue_all(review, CAUSE_VERSION);
}

void review_on_group(struct review *review, const char *group)
{
    struct requeue why = {.review = review, .cause = CAUSE_RESOURCES};
    dependents_visit_group(review->dependents, group, requeue, &why);
}

void review_on_document(struct review *review, const char *path)
{
    struct requeue why = {.review = review, .cause = CAUSE_SCHEMA};
    dependents_visit_path(review->dependents, path, requeue, &why);
}

bool review_needs_document(const struct review *review, const char *path)
{
    return dependents_have_path(review->dependents, path);
}

void review_change(struct review *review, enum kind_id kind, const struct store_object *now,
                   const struct store_object *before)
{
    if (!is_asked(review, kind))
        return;
    cleanup_mem char *key = kind_key(kind, now != NULL ? now->key : before->key);
    struct op *op = keymap_get(&review->ops, key);
    if (op != NULL && now == NULL)
        op_succeed(op);
    add(review, key, CAUSE_OBJECT);
}

/* Keys of one kind. */
struct collecting {
    enum kind_id kind;
    char **keys;
    size_t count;
};

static void collect(void *user, const char *key, void *value)
{
    struct collecting *c = user;
    enum kind_id kind;
    const char *name;
    (void)value;
    if (kind_parse_key(key, &kind, &name) && kind == c->kind)
        c->keys[c->count++] = mem_strdup(key);
}

/* They are checked as objects that are gone. */
void review_drop(struct review *review, enum kind_id kind)
{
    struct collecting c = {.kind = kind, .keys = mem_array(review->told.count + 1, sizeof(char *))};
    keymap_each(&review->told, collect, &c);
    for (size_t i = 0; i < c.count; i++) {
        add(review, c.keys[i], CAUSE_OBJECT);
        mem_free(c.keys[i]);
    }
    mem_free(c.keys);
    forbidden_free(review->forbidden[kind]);
    review->forbidden[kind] = forbidden_new();
}

bool review_is_refused(const struct review *review, enum kind_id kind)
{
    return forbidden_count(review->forbidden[kind]) > 0;
}

void review_scrape(const struct review *review, struct metrics *metrics)
{
    telemetry_begin_objects(metrics);
    for (size_t i = 0; i < KIND_COUNT; i++) {
        if (is_asked(review, (enum kind_id)i))
            telemetry_read_objects(metrics, kind_row((enum kind_id)i)->name, review->tallies[i]);
    }
    telemetry_read_queue(&review->observed, now_ms(review));
}

uint64_t review_count(const struct review *review)
{
    return review->count;
}
