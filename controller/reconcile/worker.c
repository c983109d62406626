#include "controller/reconcile/worker.h"

#include <assert.h>

#include "bytes/budget.h"
#include "client/base/due.h"
#include "client/base/keymap.h"
#include "client/base/log.h"
#include "client/base/mem.h"
#include "controller/reconcile/memories.h"

static const char *const state_names[] = {
    [WORKER_READY] = "ready",       [WORKER_GATHERING] = "gathering", [WORKER_LONG] = "long",
    [WORKER_CHECKING] = "checking", [WORKER_CALLING] = "calling",
};

TAILQ_HEAD(line, worker_op);

struct worker {
    struct worker_options options;
    struct keymap ops;      /* key -> struct worker_op */
    struct keymap patience; /* key -> struct gather_patience, of those that wait */
    struct keymap heavy;    /* key -> int64_t: the generation whose check took more than a slice */
    struct forbidden *forbidden;
    struct memories *memories; /* what checks keep; NULL if nothing is checked */
    struct line ready, ready_large, longs, suspended;
    unsigned in_a_row; /* turns of small ones while a larger one waited */
    struct room own_room, *room;
    size_t calls;
    uint64_t rest_until_ms; /* no request is sent before */
    bool is_standby, is_stopping;
    void (*on_stopped)(void *user);
    void *stop_user;
};

uint64_t worker_now_ms(const struct worker *worker)
{
    return uv_now(api_loop(worker->options.api));
}

void *worker_user(const struct worker_op *op)
{
    return op->worker->options.user;
}

static void wake(struct worker *w)
{
    w->options.on_wake(w->options.wake_user);
}

static void enter(struct worker_op *op, enum worker_state state)
{
    assert(state == WORKER_READY || op->state != WORKER_CALLING);
    if (op->state != state)
        log_debug(op->key, "%s -> %s", state_names[op->state], state_names[state]);
    op->state = state;
}

/* Lines */

/* The line of an operation's state; NULL if it has none. */
static struct line *line_of(const struct worker_op *op)
{
    switch (op->state) {
    case WORKER_READY:
        return op->bytes <= WORKER_SMALL_BYTES ? &op->worker->ready : &op->worker->ready_large;
    case WORKER_LONG:
        return &op->worker->longs;
    case WORKER_CHECKING:
        return &op->worker->suspended;
    case WORKER_GATHERING:
    case WORKER_CALLING:
        break;
    }
    return NULL;
}

static void leave_line(struct worker_op *op)
{
    if (!op->is_in_line)
        return;
    op->is_in_line = false;
    TAILQ_REMOVE(line_of(op), op, link);
    op->worker->room->taken -= op->state == WORKER_CHECKING;
}

/* Puts the operation at the end of its line. */
static void enter_line(struct worker_op *op, enum worker_state state)
{
    leave_line(op);
    enter(op, state);
    op->is_in_line = true;
    TAILQ_INSERT_TAIL(line_of(op), op, link);
    op->worker->room->taken += state == WORKER_CHECKING;
}

/* Operations */

static struct worker_op *op_new(struct worker *w, const char *key)
{
    struct worker_op *op = mem_zalloc(w->options.owner->op_bytes);
    op->worker = w;
    op->key = mem_strdup(key);
    op->bytes = w->options.owner->on_bytes(w->options.user, key);
    keymap_put(&w->ops, key, op);
    return op;
}

/* Frees the operation's policy and what was found so far, and ends what they hold. */
static void drop_check(struct worker_op *op)
{
    if (op->has_subject)
        checkedobject_deinit(&op->subject);
    if (op->has_own)
        op->worker->options.owner->on_drop(op);
    op->has_subject = op->has_own = false;
    if (op->hold.is_taken)
        cluster_release(op->worker->options.cluster, &op->hold);
    room_leave_large(op->worker->room, op);
}

static void op_free(struct worker_op *op)
{
    const struct worker_owner *owner = op->worker->options.owner;
    drop_check(op);
    if (owner->on_free != NULL)
        owner->on_free(op);
    gather_deinit(&op->gather);
    api_cancel(op->call);
    mem_free(op->key);
    mem_free(op);
}

static void op_end(struct worker_op *op)
{
    struct worker *w = op->worker;
    leave_line(op);
    w->calls -= op->state == WORKER_CALLING;
    keymap_remove(&w->ops, op->key);
    workqueue_done(w->options.queue, op->key, worker_now_ms(w));
    op_free(op);
    wake(w);
    if (w->is_stopping && w->calls == 0 && w->on_stopped != NULL) {
        void (*on_stopped)(void *user) = w->on_stopped;
        w->on_stopped = NULL;
        on_stopped(w->stop_user);
    }
}

void worker_succeed(struct worker_op *op)
{
    forbidden_remove(op->worker->forbidden, op->key);
    workqueue_forget(op->worker->options.queue, op->key);
    op_end(op);
}

void worker_later(struct worker_op *op, uint64_t delay_ms)
{
    struct worker *w = op->worker;
    forbidden_remove(w->forbidden, op->key);
    workqueue_forget(w->options.queue, op->key);
    workqueue_add_after(w->options.queue, op->key, delay_ms, worker_now_ms(w));
    op_end(op);
}

/* If the key is tried for all keys that wait for a right, it stays the one that is tried. */
void worker_fail(struct worker_op *op)
{
    struct worker *w = op->worker;
    workqueue_add_failed(w->options.queue, op->key, worker_now_ms(w));
    op_end(op);
}

void worker_wait_for_right(struct worker_op *op)
{
    workqueue_forget(op->worker->options.queue, op->key);
    op_end(op);
}

void worker_rest(struct worker_op *op, int retry_after_ms)
{
    struct worker *w = op->worker;
    w->rest_until_ms = worker_now_ms(w) + (retry_after_ms > 0 ? (uint64_t)retry_after_ms : WORKER_REST_MS);
    worker_fail(op);
}

/* Requests */

bool worker_may_call(struct worker_op *op)
{
    if (forbidden_may_try(op->worker->forbidden, op->key))
        return true;
    worker_wait_for_right(op);
    return false;
}

void worker_call(struct worker_op *op, struct api_call *call)
{
    leave_line(op);
    enter(op, WORKER_CALLING);
    op->worker->calls++;
    op->call = call;
    drop_check(op);
}

void worker_answered(struct worker_op *op)
{
    op->call = NULL;
    op->worker->calls--;
    enter(op, WORKER_READY);
}

void worker_granted(struct worker_op *op)
{
    forbidden_grant(op->worker->forbidden, op->key);
}

enum forbidden_news worker_refused(struct worker_op *op)
{
    return forbidden_put(op->worker->forbidden, op->key, worker_now_ms(op->worker));
}

void worker_turn_again(struct worker_op *op)
{
    enter_line(op, WORKER_READY);
    wake(op->worker);
}

/* Checking */

bool worker_renew(struct worker_op *op)
{
    const bool is_dirty = workqueue_is_dirty(op->worker->options.queue, op->key);
    workqueue_renew(op->worker->options.queue, op->key);
    return is_dirty;
}

bool worker_look(struct worker_op *op, enum policyview_kind kind, const struct store_object *object,
                 const struct labelselector *selector)
{
    const struct worker_options *o = &op->worker->options;
    const struct discovery *discovery = o->is_release ? NULL : cluster_discovery(o->cluster);
    struct types_options types = o->types;
    if (!o->is_release)
        types.minor = cluster_minor(o->cluster);
    if (worker_renew(op))
        gather_deinit(&op->gather); /* a document may be another since it was asked for */
    op->bytes = object == NULL ? 0 : object->len;
    op->tree_bytes = object == NULL ? 0 : object->tree_bytes;
    if (op->worker->memories != NULL)
        types.shared = memories_types(op->worker->memories);
    op->has_subject = checkedobject_init(&op->subject, kind, object, discovery, &types, selector);
    if (op->has_subject && op->subject.check != NULL && op->worker->memories != NULL)
        memories_use(op->worker->memories, op->key, op->subject.policy, op->subject.check);
    if (op->has_subject && op->subject.check != NULL && o->next.env != NULL && types.minor < o->next.minor) {
        types.minor = o->next.minor;
        op->subject.next = check_new(op->subject.policy, discovery, &types);
    }
    return op->has_subject;
}

static void note(const struct worker_op *op, const struct check_result *result)
{
    const struct worker_options *o = &op->worker->options;
    if (op->has_subject)
        checkedobject_note(&op->subject, o->dependents, op->key, o->types.scope, result);
}

static void on_gathered(void *user)
{
    worker_turn_again(user);
}

/* Begins to gather the documents that the check needs. Returns false if all are there. */
static bool op_gather(struct worker_op *op)
{
    struct openapi *openapi = cluster_openapi(op->worker->options.cluster);
    if (!gather_start(&op->gather, openapi, op->subject.check, on_gathered, op))
        return false;
    leave_line(op);
    enter(op, WORKER_GATHERING);
    /* in the turn in which they are asked for: a change from now on must find the object */
    note(op, NULL);
    drop_check(op);
    return true;
}

/* Returns how long the answer does not count yet; 0 if it does. */
static uint64_t wait_ms(struct worker_op *op, const struct check_result *result)
{
    struct worker *w = op->worker;
    struct gather_patience now = {0}, *before = keymap_get(&w->patience, op->key);
    if (before != NULL)
        now = *before;
    const uint64_t ms = gather_wait_ms(w->options.cluster, &now, result, worker_now_ms(w));
    if (!now.is_waiting) {
        mem_free(keymap_remove(&w->patience, op->key));
        return ms;
    }
    if (before == NULL) {
        before = mem_zalloc(sizeof *before);
        keymap_put(&w->patience, op->key, before);
    }
    *before = now;
    return ms;
}

bool worker_waits(struct worker_op *op, const struct check_result *result)
{
    const uint64_t ms = wait_ms(op, result);
    if (ms == 0)
        return false;
    log_debug(op->key, "waits for a group that was not read yet");
    worker_later(op, ms);
    return true;
}

static void note_heavy(const struct worker_op *op, bool is_heavy)
{
    struct keymap *heavy = &op->worker->heavy;
    int64_t *generation = keymap_get(heavy, op->key);
    if (!is_heavy) {
        mem_free(keymap_remove(heavy, op->key));
        return;
    }
    if (generation == NULL) {
        generation = mem_zalloc(sizeof *generation);
        keymap_put(heavy, op->key, generation);
    }
    *generation = op->subject.policy->generation;
}

/* A hundred objects that all take long may come again at once, as when a document changes: their first slices
 * would keep others waiting, and are known not to be enough. */
static bool is_heavy(const struct worker_op *op)
{
    const int64_t *generation = keymap_get(&op->worker->heavy, op->key);
    return generation != NULL && *generation == op->subject.policy->generation;
}

/* The memory of the check under way, with its object. */
static size_t held_bytes(const struct worker_op *op)
{
    const size_t object = op->tree_bytes;
    if (op->has_own)
        return object;
    return object + check_bytes(op->subject.check) + hints_bytes(op->subject.hints) +
           (op->subject.next == NULL ? 0 : check_bytes(op->subject.next));
}

/* Returns true if the check may go on in a later turn. */
static bool take_place(struct worker_op *op)
{
    struct room *room = op->worker->room;
    op->is_large = held_bytes(op) > ROOM_LARGE_BYTES;
    if (!op->is_in_line && room_is_full(room))
        return false;
    return !op->is_large || room_take_large(room, op);
}

static void wait_for_place(struct worker_op *op)
{
    drop_check(op);
    enter_line(op, WORKER_LONG);
}

/* There is more to do: it goes on in a later turn, or starts again when there is a place for it. */
static void suspend(struct worker_op *op)
{
    if (!take_place(op)) {
        wait_for_place(op);
        return;
    }
    /* a change from now on must find the object: it is noted until the check ends */
    if (!op->is_in_line)
        note(op, NULL);
    enter_line(op, WORKER_CHECKING);
}

/* Goes on with one check, and pays from *left; true if it has not ended. */
static bool step_check(struct check *check, const struct env *env, struct openapi *openapi, uint64_t *left)
{
    const uint64_t before = check_steps(check);
    const bool has_more = check_step(check, env, gather_lookup, openapi, *left);
    budget_pay(left, check_steps(check) - before);
    return has_more;
}

/* Begins to look for hints for what the check found. Upstream's scope has none. */
static void begin_hints(struct worker_op *op)
{
    struct checkedobject *s = &op->subject;
    const struct hints_cluster cluster = {.discovery = s->discovery,
                                          .env = op->env,
                                          .new_env = op->new_env,
                                          .lookup = gather_lookup,
                                          .user = cluster_openapi(op->worker->options.cluster),
                                          .types = s->types};
    const struct check_result *result = s->types.scope == TYPES_FULL ? check_result(s->check) : NULL;
    s->hints = hints_start(&cluster, s->policy, NULL, result, HINTS_MAX_STEPS);
}

/* Does one slice of a subject: of its check, then of its hints, then of its check on the next version.
 * Returns true if there is more to do. */
static bool step_subject(struct worker_op *op)
{
    struct checkedobject *s = &op->subject;
    struct openapi *openapi = cluster_openapi(op->worker->options.cluster);
    uint64_t left = WORKER_SLICE_STEPS;
    if (s->hints == NULL) {
        if (step_check(s->check, op->env, openapi, &left))
            return true;
        begin_hints(op);
    }
    if (!s->has_hints) {
        const uint64_t before = hints_steps(s->hints);
        if (hints_step(s->hints, left))
            return true;
        budget_pay(&left, hints_steps(s->hints) - before);
        s->has_hints = true;
    }
    return s->next != NULL && step_check(s->next, op->worker->options.next.env, openapi, &left);
}

static bool step(struct worker_op *op)
{
    return op->has_own ? op->worker->options.owner->on_slice(op, WORKER_SLICE_STEPS) : step_subject(op);
}

/* Does one slice of work. */
static void slice(struct worker_op *op)
{
    const uint64_t began_ns = uv_hrtime();
    bool has_more = step(op);
    op->spent_ns += uv_hrtime() - began_ns;
    if (op->has_subject && !op->is_in_line)
        note_heavy(op, has_more);
    if (has_more) {
        suspend(op);
        return;
    }
    const struct check_result *result = op->has_own ? NULL : check_result(op->subject.check);
    leave_line(op);
    note(op, result);
    op->worker->options.owner->on_checked(op, result);
}

static void begin_check(struct worker_op *op)
{
    struct cluster *cluster = op->worker->options.cluster;
    enter(op, WORKER_CHECKING);
    op->env = cluster_env(cluster);
    op->new_env = cluster_new_env(cluster);
    op->spent_ns = 0;
    cluster_hold(cluster, &op->hold);
    slice(op);
}

void worker_check_own(struct worker_op *op)
{
    op->has_own = true;
    begin_check(op);
}

void worker_check(struct worker_op *op)
{
    if (op_gather(op))
        return;
    if (op->worker->is_standby) {
        note(op, NULL);
        worker_succeed(op);
        return;
    }
    if (is_heavy(op) && !op->has_place) {
        wait_for_place(op);
        return;
    }
    begin_check(op);
}

/* Turns */

/* has_place: one may be suspended beside those that are. */
static void give_turn(struct worker_op *op, bool has_place)
{
    leave_line(op);
    op->has_place = has_place;
    drop_check(op);
    if (has_place && op->is_large)
        room_take_large(op->worker->room, op);
    op->is_large = false;
    enter(op, WORKER_READY);
    op->worker->options.owner->on_turn(op);
}

/* Only one request goes ahead while it is not known whether requests are allowed at all. */
static size_t calls_max(const struct worker *w)
{
    return forbidden_right(w->forbidden) == FORBIDDEN_UNSURE ? 1 : w->options.max_calls;
}

/* Nothing is taken from the queue before: a key that waits there costs nothing, and is checked once. */
static bool may_work(const struct worker *w)
{
    return !w->is_stopping && w->calls < calls_max(w) && worker_now_ms(w) >= w->rest_until_ms;
}

static void retry_refused(struct worker *w)
{
    const char *key;
    while ((key = forbidden_take(w->forbidden, worker_now_ms(w))) != NULL)
        workqueue_add(w->options.queue, key, WORKQUEUE_RETRY, worker_now_ms(w));
}

/* The next small one. Larger ones that are taken before it go to their own line. NULL: there is no small
 * one. */
static struct worker_op *next_small(struct worker *w)
{
    struct worker_op *op = TAILQ_FIRST(&w->ready);
    const char *key;
    while (op == NULL && (key = workqueue_take(w->options.queue, worker_now_ms(w))) != NULL) {
        enter_line(op_new(w, key), WORKER_READY);
        op = TAILQ_FIRST(&w->ready);
    }
    return op;
}

bool worker_step(struct worker *worker)
{
    if (!may_work(worker))
        return false;
    retry_refused(worker);
    const bool is_large_due = !TAILQ_EMPTY(&worker->ready_large) && worker->in_a_row >= WORKER_SMALL_IN_A_ROW;
    struct worker_op *op = is_large_due ? NULL : next_small(worker);
    worker->in_a_row = op == NULL || TAILQ_EMPTY(&worker->ready_large) ? 0 : worker->in_a_row + 1;
    if (op == NULL)
        op = TAILQ_FIRST(&worker->ready_large);
    if (op == NULL)
        return false;
    give_turn(op, false);
    return true;
}

/* The first that waits for a place and finds one. Returns NULL if there is none. */
static struct worker_op *next_long(const struct worker *w)
{
    if (room_is_full(w->room))
        return NULL;
    for (struct worker_op *op = TAILQ_FIRST(&w->longs); op != NULL; op = TAILQ_NEXT(op, link)) {
        if (!op->is_large || w->room->large == NULL)
            return op;
    }
    return NULL;
}

bool worker_resume(struct worker *worker)
{
    if (!may_work(worker))
        return false;
    struct worker_op *op = next_long(worker);
    if (op == NULL) {
        op = TAILQ_FIRST(&worker->suspended);
        if (op == NULL)
            return false;
        if (!workqueue_is_dirty(worker->options.queue, op->key)) {
            slice(op);
            return true;
        }
        gather_deinit(&op->gather); /* a document may be another */
    }
    give_turn(op, true);
    return true;
}

uint64_t worker_next_ms(const struct worker *worker)
{
    const struct workqueue *queue = worker->options.queue;
    if (worker->calls >= calls_max(worker))
        return DUE_NEVER; /* the end of one wakes */
    if (!TAILQ_EMPTY(&worker->ready) || !TAILQ_EMPTY(&worker->ready_large) ||
        !TAILQ_EMPTY(&worker->suspended) || next_long(worker) != NULL || workqueue_depth(queue) > 0)
        return worker->rest_until_ms;
    const uint64_t due_ms = due_first(workqueue_next_ms(queue), forbidden_next_ms(worker->forbidden));
    return due_ms < worker->rest_until_ms ? worker->rest_until_ms : due_ms;
}

/* Keys */

void worker_add(struct worker *worker, const char *key, unsigned cause)
{
    struct worker_op *op = keymap_get(&worker->ops, key);
    workqueue_add(worker->options.queue, key, cause, worker_now_ms(worker));
    /* the object that took long may be another now */
    if (op != NULL && op->state == WORKER_LONG) {
        gather_deinit(&op->gather);
        op->is_large = false;
        enter_line(op, WORKER_READY);
    }
    wake(worker);
}

void worker_cancel(struct worker *worker, const char *key)
{
    struct worker_op *op = keymap_get(&worker->ops, key);
    if (op != NULL)
        worker_succeed(op);
}

void worker_forget(struct worker *worker, const char *key)
{
    dependents_remove(worker->options.dependents, key);
    forbidden_remove(worker->forbidden, key);
    mem_free(keymap_remove(&worker->patience, key));
    mem_free(keymap_remove(&worker->heavy, key));
    if (worker->memories != NULL)
        memories_forget(worker->memories, key);
}

/* The whole */

struct worker *worker_new(const struct worker_options *options)
{
    struct worker *w = mem_zalloc(sizeof *w);
    w->options = *options;
    w->is_standby = options->is_standby;
    w->forbidden = forbidden_new();
    w->memories = options->is_release ? NULL : memories_new(options->cluster);
    w->room = options->room != NULL ? options->room : &w->own_room;
    TAILQ_INIT(&w->ready);
    TAILQ_INIT(&w->ready_large);
    TAILQ_INIT(&w->longs);
    TAILQ_INIT(&w->suspended);
    return w;
}

static void free_op(void *value)
{
    leave_line(value);
    op_free(value);
}

void worker_free(struct worker *worker)
{
    if (worker == NULL)
        return;
    keymap_deinit(&worker->ops, free_op);
    keymap_deinit(&worker->patience, mem_free);
    keymap_deinit(&worker->heavy, mem_free);
    forbidden_free(worker->forbidden);
    memories_free(worker->memories);
    mem_free(worker);
}

void worker_lead(struct worker *worker)
{
    worker->is_standby = false;
}

bool worker_is_standby(const struct worker *worker)
{
    return worker->is_standby;
}

bool worker_stop(struct worker *worker, void (*on_stopped)(void *user), void *user)
{
    worker->is_stopping = true;
    worker->on_stopped = on_stopped;
    worker->stop_user = user;
    return worker->calls == 0;
}

const struct forbidden *worker_forbidden(const struct worker *worker)
{
    return worker->forbidden;
}

void worker_forget_refusals(struct worker *worker)
{
    forbidden_free(worker->forbidden);
    worker->forbidden = forbidden_new();
}
