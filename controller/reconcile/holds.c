#include "controller/reconcile/holds.h"

#include <assert.h>

#include "client/base/mem.h"

struct holds_retired {
    TAILQ_ENTRY(holds_retired) link;
    uint64_t number; /* the first is 1 */
    void *object;
    void (*free_object)(void *object);
};

void holds_init(struct holds *holds)
{
    *holds = (struct holds){0};
    TAILQ_INIT(&holds->taken);
    TAILQ_INIT(&holds->retired);
}

/* Frees what was retired before the oldest hold was taken. */
static void sweep(struct holds *h)
{
    const struct hold *oldest = TAILQ_FIRST(&h->taken);
    struct holds_retired *r;
    while ((r = TAILQ_FIRST(&h->retired)) != NULL && (oldest == NULL || r->number <= oldest->since)) {
        TAILQ_REMOVE(&h->retired, r, link);
        r->free_object(r->object);
        mem_free(r);
    }
}

void holds_deinit(struct holds *holds)
{
    assert(TAILQ_EMPTY(&holds->taken));
    sweep(holds);
}

void holds_take(struct holds *holds, struct hold *hold)
{
    holds_release(holds, hold);
    hold->since = holds->count;
    hold->is_taken = true;
    TAILQ_INSERT_TAIL(&holds->taken, hold, link);
}

void holds_release(struct holds *holds, struct hold *hold)
{
    if (!hold->is_taken)
        return;
    hold->is_taken = false;
    TAILQ_REMOVE(&holds->taken, hold, link);
    sweep(holds);
}

void holds_retire(struct holds *holds, void *object, void (*free_object)(void *object))
{
    if (object == NULL)
        return;
    struct holds_retired *r = mem_zalloc(sizeof *r);
    r->number = ++holds->count;
    r->object = object;
    r->free_object = free_object;
    TAILQ_INSERT_TAIL(&holds->retired, r, link);
    sweep(holds);
}
