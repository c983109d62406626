#include "client/cache/workqueue.h"

#include <assert.h>

#include "client/base/due.h"
#include "client/base/keymap.h"
#include "client/base/mem.h"

#define NOT_DELAYED SIZE_MAX

struct entry {
    const char *key;    /* the map's */
    struct entry *next; /* in the line of those to be taken */
    bool is_dirty;      /* to be worked on: in the line, or behind the work that is under way */
    bool is_in_work;
    unsigned cause;      /* the first cause of its being dirty, */
    unsigned causes;     /* and all of them, a bit each */
    unsigned work_cause; /* the cause of its being in work */
    unsigned failures;
    uint64_t added_ms, taken_ms;
    uint64_t due_ms;
    size_t heap_index; /* NOT_DELAYED, or the place in the heap */
};

struct workqueue {
    struct keymap entries;
    struct entry *first, **last;
    size_t depth, in_work;
    struct entry **heap; /* the earliest first */
    size_t heap_count;
    struct workqueue_observer observer;
};

struct workqueue *workqueue_new(void)
{
    struct workqueue *q = mem_zalloc(sizeof *q);
    q->last = &q->first;
    return q;
}

void workqueue_free(struct workqueue *queue)
{
    if (queue == NULL)
        return;
    keymap_deinit(&queue->entries, mem_free);
    mem_free(queue->heap);
    mem_free(queue);
}

static struct entry *find_or_make(struct workqueue *q, const char *key)
{
    struct entry *e = keymap_get(&q->entries, key);
    if (e != NULL)
        return e;
    e = mem_zalloc(sizeof *e);
    e->heap_index = NOT_DELAYED;
    keymap_put(&q->entries, key, e);
    e->key = keymap_key(&q->entries, key);
    return e;
}

static void drop_if_idle(struct workqueue *q, struct entry *e)
{
    if (e->is_dirty || e->is_in_work || e->failures > 0 || e->heap_index != NOT_DELAYED)
        return;
    keymap_remove(&q->entries, e->key);
    mem_free(e);
}

/* The heap of delayed keys */

static void place(struct workqueue *q, size_t index, struct entry *e)
{
    q->heap[index] = e;
    e->heap_index = index;
}

static void sift_up(struct workqueue *q, size_t i, struct entry *e)
{
    for (; i > 0 && q->heap[(i - 1) / 2]->due_ms > e->due_ms; i = (i - 1) / 2)
        place(q, i, q->heap[(i - 1) / 2]);
    place(q, i, e);
}

static void sift_down(struct workqueue *q, size_t i, struct entry *e)
{
    for (;;) {
        size_t child = 2 * i + 1;
        if (child + 1 < q->heap_count && q->heap[child + 1]->due_ms < q->heap[child]->due_ms)
            child++;
        if (child >= q->heap_count || q->heap[child]->due_ms >= e->due_ms)
            break;
        place(q, i, q->heap[child]);
        i = child;
    }
    place(q, i, e);
}

static void heap_push(struct workqueue *q, struct entry *e)
{
    q->heap = mem_grow(q->heap, q->heap_count, sizeof(struct entry *));
    sift_up(q, q->heap_count++, e);
}

static void heap_pop(struct workqueue *q)
{
    q->heap[0]->heap_index = NOT_DELAYED;
    struct entry *last = q->heap[--q->heap_count];
    if (q->heap_count > 0)
        sift_down(q, 0, last);
}

/* The line */

static void line_up(struct workqueue *q, struct entry *e)
{
    e->next = NULL;
    *q->last = e;
    q->last = &e->next;
    q->depth++;
}

static void make_dirty(struct workqueue *q, struct entry *e, unsigned cause, uint64_t now_ms)
{
    e->causes |= WORKQUEUE_BIT(cause);
    if (e->is_dirty)
        return;
    e->is_dirty = true;
    e->cause = cause;
    e->added_ms = now_ms;
    if (q->observer.on_add != NULL)
        q->observer.on_add(q->observer.user);
    if (!e->is_in_work)
        line_up(q, e);
}

static void move_due(struct workqueue *q, uint64_t now_ms)
{
    while (q->heap_count > 0 && q->heap[0]->due_ms <= now_ms) {
        struct entry *e = q->heap[0];
        heap_pop(q);
        make_dirty(q, e, WORKQUEUE_RETRY, now_ms);
    }
}

void workqueue_observe(struct workqueue *queue, const struct workqueue_observer *observer)
{
    queue->observer = *observer;
}

void workqueue_add(struct workqueue *queue, const char *key, unsigned cause, uint64_t now_ms)
{
    make_dirty(queue, find_or_make(queue, key), cause, now_ms);
}

void workqueue_add_after(struct workqueue *queue, const char *key, uint64_t delay_ms, uint64_t now_ms)
{
    struct entry *e = find_or_make(queue, key);
    uint64_t due_ms = now_ms + delay_ms;
    if (queue->observer.on_retry != NULL)
        queue->observer.on_retry(queue->observer.user);
    if (delay_ms == 0) {
        make_dirty(queue, e, WORKQUEUE_RETRY, now_ms);
    } else if (e->heap_index == NOT_DELAYED) {
        e->due_ms = due_ms;
        heap_push(queue, e);
    } else if (due_ms < e->due_ms) {
        e->due_ms = due_ms;
        sift_up(queue, e->heap_index, e);
    }
}

uint64_t workqueue_add_failed(struct workqueue *queue, const char *key, uint64_t now_ms)
{
    struct entry *e = find_or_make(queue, key);
    uint64_t delay_ms = WORKQUEUE_BACKOFF_BASE_MS;
    for (unsigned i = 0; i < e->failures && delay_ms < WORKQUEUE_BACKOFF_CAP_MS; i++)
        delay_ms *= 2;
    if (delay_ms > WORKQUEUE_BACKOFF_CAP_MS)
        delay_ms = WORKQUEUE_BACKOFF_CAP_MS;
    e->failures++;
    workqueue_add_after(queue, key, delay_ms, now_ms);
    return delay_ms;
}

void workqueue_forget(struct workqueue *queue, const char *key)
{
    struct entry *e = keymap_get(&queue->entries, key);
    if (e == NULL)
        return;
    e->failures = 0;
    drop_if_idle(queue, e);
}

const char *workqueue_take(struct workqueue *queue, uint64_t now_ms)
{
    move_due(queue, now_ms);
    struct entry *e = queue->first;
    if (e == NULL)
        return NULL;
    queue->first = e->next;
    if (queue->first == NULL)
        queue->last = &queue->first;
    queue->depth--;
    queue->in_work++;
    e->is_dirty = false;
    e->causes = 0;
    e->is_in_work = true;
    e->work_cause = e->cause;
    e->taken_ms = now_ms;
    if (queue->observer.on_take != NULL)
        queue->observer.on_take(queue->observer.user, now_ms - e->added_ms);
    return e->key;
}

static struct entry *find_in_work(const struct workqueue *q, const char *key)
{
    struct entry *e = keymap_get(&q->entries, key);
    assert(e != NULL && e->is_in_work);
    return e;
}

void workqueue_done(struct workqueue *queue, const char *key, uint64_t now_ms)
{
    struct entry *e = find_in_work(queue, key);
    e->is_in_work = false;
    queue->in_work--;
    if (queue->observer.on_done != NULL)
        queue->observer.on_done(queue->observer.user, now_ms - e->taken_ms);
    if (e->is_dirty)
        line_up(queue, e);
    else
        drop_if_idle(queue, e);
}

void workqueue_renew(struct workqueue *queue, const char *key)
{
    struct entry *e = find_in_work(queue, key);
    if (e->is_dirty)
        e->work_cause = e->cause;
    e->is_dirty = false;
    e->causes = 0;
}

bool workqueue_is_dirty(const struct workqueue *queue, const char *key)
{
    return find_in_work(queue, key)->is_dirty;
}

unsigned workqueue_dirty_causes(const struct workqueue *queue, const char *key)
{
    return find_in_work(queue, key)->causes;
}

uint64_t workqueue_next_ms(const struct workqueue *queue)
{
    return queue->heap_count == 0 ? DUE_NEVER : queue->heap[0]->due_ms;
}

size_t workqueue_depth(const struct workqueue *queue)
{
    return queue->depth;
}

size_t workqueue_in_work(const struct workqueue *queue)
{
    return queue->in_work;
}

unsigned workqueue_cause(const struct workqueue *queue, const char *key)
{
    return find_in_work(queue, key)->work_cause;
}

struct unfinished {
    uint64_t now_ms, sum_ms, longest_ms;
};

static void add_unfinished(void *user, const char *key, void *value)
{
    struct unfinished *u = user;
    const struct entry *e = value;
    (void)key;
    if (!e->is_in_work)
        return;
    uint64_t ms = u->now_ms - e->taken_ms;
    u->sum_ms += ms;
    if (ms > u->longest_ms)
        u->longest_ms = ms;
}

uint64_t workqueue_unfinished_ms(const struct workqueue *queue, uint64_t now_ms, uint64_t *longest_ms)
{
    struct unfinished u = {.now_ms = now_ms};
    keymap_each(&queue->entries, add_unfinished, &u);
    *longest_ms = u.longest_ms;
    return u.sum_ms;
}
