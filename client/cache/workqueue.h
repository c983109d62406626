/*
 * workqueue: which keys are to be worked on, now or later. Pure: no clock, no
 * loop; time is an argument.
 *
 * As in client-go: a key that is added several times is in the queue once. Two
 * workers never have the same key. A key that is added while a worker has it is
 * dirty: it is queued again when the worker is done. Each failure of a key delays
 * it, 5 ms doubled up to 1000 s, until workqueue_forget.
 *
 *     while ((key = workqueue_take(q, now_ms)) != NULL) {
 *         if (work(key)) workqueue_forget(q, key);
 *         else workqueue_add_failed(q, key, now_ms);
 *         workqueue_done(q, key, now_ms);
 *     }
 */
#ifndef CLIENT_CACHE_WORKQUEUE_H
#define CLIENT_CACHE_WORKQUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WORKQUEUE_BACKOFF_BASE_MS = 5,
    WORKQUEUE_BACKOFF_CAP_MS = 1000 * 1000,
    WORKQUEUE_RETRY = 0, /* the cause of what comes again by time */
};

#define WORKQUEUE_BIT(cause) (1u << (cause))

struct workqueue;

struct workqueue *workqueue_new(void);
void workqueue_free(struct workqueue *queue);

/* Called when a key is added, delayed, taken and done, for metrics; each may be NULL. */
struct workqueue_observer {
    void (*on_add)(void *user);   /* a key was queued, at once or when its delay was over */
    void (*on_retry)(void *user); /* a key was delayed */
    void (*on_take)(void *user, uint64_t waited_ms);
    void (*on_done)(void *user, uint64_t worked_ms);
    void *user;
};

/* Copied. */
void workqueue_observe(struct workqueue *queue, const struct workqueue_observer *observer);

/* Adds a key that can be worked on at once. Keys are copied. The queue does not interpret the
 * cause, a number below 32; workqueue_cause answers the first of several. */
void workqueue_add(struct workqueue *queue, const char *key, unsigned cause, uint64_t now_ms);

/* Adds a key at now_ms + delay_ms, or earlier if that was asked for; its cause is then WORKQUEUE_RETRY. */
void workqueue_add_after(struct workqueue *queue, const char *key, uint64_t delay_ms, uint64_t now_ms);

/* Adds the key after its backoff, which grows with each call. Returns the delay. */
uint64_t workqueue_add_failed(struct workqueue *queue, const char *key, uint64_t now_ms);

/* The key's failures are forgotten; whether it is queued does not change. */
void workqueue_forget(struct workqueue *queue, const char *key);

/* The next key, first come first served, which from now on is worked on until workqueue_done;
 * NULL if none is due. The string is good until then. */
const char *workqueue_take(struct workqueue *queue, uint64_t now_ms);
void workqueue_done(struct workqueue *queue, const char *key, uint64_t now_ms);

/* The worker reads the objects again, so the key is not dirty any more. */
void workqueue_renew(struct workqueue *queue, const char *key);
/* Returns true if the key, which a worker has, was added since then, or since workqueue_renew. */
bool workqueue_is_dirty(const struct workqueue *queue, const char *key);
/* The causes for which it was added since then, a sum of WORKQUEUE_BIT; 0 if it was not added. */
unsigned workqueue_dirty_causes(const struct workqueue *queue, const char *key);

/* Returns why a key that is worked on was added. */
unsigned workqueue_cause(const struct workqueue *queue, const char *key);

/* Returns when the first delayed key is due; DUE_NEVER if none is delayed. */
uint64_t workqueue_next_ms(const struct workqueue *queue);

/* Keys that could be taken now, not counting delayed ones. */
size_t workqueue_depth(const struct workqueue *queue);
/* Keys taken and not done. */
size_t workqueue_in_work(const struct workqueue *queue);
/* Returns how long the keys that are worked on have been, in sum; *longest_ms is the longest of them. */
uint64_t workqueue_unfinished_ms(const struct workqueue *queue, uint64_t now_ms, uint64_t *longest_ms);

#endif
