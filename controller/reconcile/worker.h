/*
 * worker: does the common work of reconcile and advise, its owners. It takes one key after the other from a
 * work queue, gathers the documents for the check of its object, checks it in slices (one in each turn of the
 * loop), sends a request, and tries again later if that failed. The owner's operation begins with a struct
 * worker_op; each of its callbacks ends with a call that decides what happens to the operation.
 *
 *     on_turn:     if (!worker_look(op, ...)) worker_succeed(op); else worker_check(op);
 *     on_checked:  if (worker_may_call(op)) worker_call(op, api_apply(..., on_answer, op));
 *     on_answer:   worker_answered(op); worker_succeed(op);
 *
 * A running check has a copy of its policy, and holds what it reads of the cluster (holds.h). Small objects
 * have their turns before large ones. One loop, no timer: in each turn of the loop the caller runs
 * worker_step, and worker_resume if that returns false. If both return false, it goes on after on_wake or at
 * worker_next_ms.
 */
#ifndef CONTROLLER_RECONCILE_WORKER_H
#define CONTROLLER_RECONCILE_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "client/cache/workqueue.h"
#include "client/rest/api.h"
#include "controller/reconcile/checkedobject.h"
#include "controller/reconcile/cluster.h"
#include "controller/reconcile/dependents.h"
#include "controller/reconcile/forbidden.h"
#include "controller/reconcile/gather.h"
#include "controller/reconcile/holds.h"
#include "controller/reconcile/room.h"

enum {
    WORKER_SLICE_STEPS = 100 * 1000, /* about 5 ms */
    WORKER_SMALL_BYTES = 16 * 1024,  /* the length of a text: objects up to this go before larger ones; */
    WORKER_SMALL_IN_A_ROW = 8,       /* at most so many of them while a larger one waits */
    WORKER_REST_MS = 1000,           /* how long no request is sent after a 429 that names no time */
};

/*
 * READY     -- its turn comes --> on_turn
 * GATHERING -- its documents are read --> READY
 * CHECKING  -- the first slice was not enough --> suspended, or LONG if the room has no place
 *           -- suspended, its turn comes: one more slice; on_turn if the key was added meanwhile
 *           -- the check is done: on_checked
 * LONG      -- waits for a place, without its check --> on_turn; --> READY if the key was added meanwhile
 * CALLING   -- the request is answered --> READY: the owner goes on at once
 */
enum worker_state { WORKER_READY, WORKER_GATHERING, WORKER_LONG, WORKER_CHECKING, WORKER_CALLING };

/* One key in work. The owner reads key, subject and spent_ns. */
struct worker_op {
    struct worker *worker;
    char *key;
    enum worker_state state;
    bool is_in_line, has_place, is_large; /* is_large: LONG, for the place of large ones (room.h) */
    size_t bytes;      /* of the object's text; the owner sets both for an object that it read itself */
    size_t tree_bytes; /* of the object in memory, about */
    TAILQ_ENTRY(worker_op) link; /* in the worker's line of its state */
    struct gather gather;
    bool has_subject, has_own;       /* has_own: CHECKING, by the owner's own check */
    struct checkedobject subject;    /* from worker_look until the end, a request or a new turn */
    const struct env *env, *new_env; /* CHECKING: of stored and of new expressions */
    struct hold hold;                /* CHECKING */
    uint64_t spent_ns;               /* on this check */
    struct api_call *call;           /* CALLING */
};

/* The owner's callbacks; static. */
struct worker_owner {
    size_t op_bytes;
    void (*on_turn)(struct worker_op *op);
    size_t (*on_bytes)(void *user, const char *key); /* of the object's text, before its first turn */
    /* Called after a check; NULL for an owner with checks of its own. */
    void (*on_checked)(struct worker_op *op, const struct check_result *result);
    void (*on_free)(struct worker_op *op);                  /* of the owner's part; NULL: nothing */
    bool (*on_slice)(struct worker_op *op, uint64_t steps); /* for worker_check_own, as check_step */
    void (*on_drop)(struct worker_op *op);                  /* frees what that check has */
};

/* All borrowed, for the life of the worker. */
struct worker_options {
    const struct worker_owner *owner;
    struct api *api;
    struct workqueue *queue;
    struct cluster *cluster;
    struct dependents *dependents;
    struct types_options types;
    struct checkedobject_next next; /* .env NULL: none */
    struct room *room;              /* the memory that checks share; NULL if the worker has its own */
    size_t max_calls;               /* requests under way */
    bool is_standby;                /* documents are gathered, nothing is checked until worker_lead */
    bool is_release;                /* nothing is checked, and cluster is NULL */
    void (*on_wake)(void *user);    /* there may be something to do; called from the loop */
    void *wake_user;
    void *user; /* the owner: worker_user */
};

struct worker *worker_new(const struct worker_options *options);
void worker_free(struct worker *worker);
uint64_t worker_now_ms(const struct worker *worker);
/* Queues a key; work that is under way for it starts again. */
void worker_add(struct worker *worker, const char *key, unsigned cause);
/* Cancels the work on an object that was deleted. */
void worker_cancel(struct worker *worker, const char *key);
void worker_forget(struct worker *worker, const char *key); /* gone for good: nothing is remembered */

bool worker_step(struct worker *worker);   /* a key's first slice; false: there is none to do now */
bool worker_resume(struct worker *worker); /* a later slice, for when there is no first one */
/* Returns when to step again without a wake. DUE_NEVER: only after a wake. */
uint64_t worker_next_ms(const struct worker *worker);
/* Must be called when we hold the lease: from then on keys are checked. */
void worker_lead(struct worker *worker);
bool worker_is_standby(const struct worker *worker);
/* Starts no new work. Returns true if no request is under way. Otherwise on_stopped is called when the last
 * one has ended. */
bool worker_stop(struct worker *worker, void (*on_stopped)(void *user), void *user);
const struct forbidden *worker_forbidden(const struct worker *worker);
void worker_forget_refusals(struct worker *worker);

/* Functions that an owner calls in its callbacks */
void *worker_user(const struct worker_op *op);
/* Reads the object into op->subject. False if it is gone, or is not a policy (checkedobject_init). */
bool worker_look(struct worker_op *op, enum policyview_kind kind, const struct store_object *object,
                 const struct labelselector *selector);
/* Gathers and checks op->subject, whose check is not NULL: on_checked comes, perhaps before this returns. */
void worker_check(struct worker_op *op);
/* The same for the owner's own check, which on_slice does and which needs no documents. */
void worker_check_own(struct worker_op *op);
/* Starts the work again with the present objects. Returns true if the key was added since the last turn. */
bool worker_renew(struct worker_op *op);
/* Called in on_checked. Returns true if the result does not count yet: then the operation has ended, and the
 * key comes again. */
bool worker_waits(struct worker_op *op, const struct check_result *result);
/* Returns true if a request may be sent for the key. If not, the operation has ended; the key comes again. */
bool worker_may_call(struct worker_op *op);
void worker_call(struct worker_op *op, struct api_call *call);
void worker_answered(struct worker_op *op); /* the first call in the callback of the request */
/* The answer shows that requests are allowed, or (403) that this one is not. */
void worker_granted(struct worker_op *op);
enum forbidden_news worker_refused(struct worker_op *op);
/* The operation goes to the end of the line for another on_turn, with what the answer brought. */
void worker_turn_again(struct worker_op *op);
/* Each ends the operation. The key is done; if it was added meanwhile the queue has it again. */
void worker_succeed(struct worker_op *op);
void worker_later(struct worker_op *op, uint64_t delay_ms); /* no failure */
void worker_fail(struct worker_op *op);                     /* again after the key's backoff */
void worker_wait_for_right(struct worker_op *op);           /* again when requests are allowed */
/* Ends the operation after a 429: no request is sent for so long, and the key comes again after its
 * backoff. */
void worker_rest(struct worker_op *op, int retry_after_ms);

#endif
