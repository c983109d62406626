/*
 * A struct reconcile with what it works on, on a scripted cluster and a fake
 * API server.
 *
 *     begin_reconcile(&(struct reconcile_options){.max_writes = 8}, NULL, NULL);
 *     ... drain() ...
 *     end_reconcile();
 */
#ifndef UNIT_CONTROLLER_RECONCILED_H
#define UNIT_CONTROLLER_RECONCILED_H

#include "controller/reconcile/reconcile.h"
#include "controller/reconcile/worker.h"
#include "tests/unit/controller/fakeapi.h"
#include "tests/unit/controller/scriptedcluster.h"

static struct store *policies;
static struct workqueue *queue;
static struct dependents *dependents;
static struct bindings *bindings;
static struct reconcile *r;

static void on_wake(void *user)
{
    (void)user;
}

/* What is above is added to the options; on_change is the store's. */
static void begin_reconcile(const struct reconcile_options *more, store_on_change *on_change)
{
    struct reconcile_options options = *more;
    begin_cluster();
    fakeapi_begin();
    has_cluster = !more->is_release;
    policies = store_new(on_change, NULL);
    queue = workqueue_new();
    dependents = dependents_new();
    bindings = bindings_new();
    options.queue = queue;
    options.policies = policies;
    options.bindings = bindings;
    options.dependents = dependents;
    options.types = (struct types_options){.scope = TYPES_FULL, .max_types = 10};
    options.on_wake = on_wake;
    r = reconcile_new(&options);
}

static void end_reconcile(void)
{
    reconcile_free(r);
    assert_int_equal(n_holds, 0);
    fakeapi_end();
    for (size_t i = 0; i < n_requires; i++)
        assert_false(requires[i].is_open);
    store_mute(policies);
    store_free(policies);
    workqueue_free(queue);
    dependents_free(dependents);
    bindings_free(bindings);
}

static void drain(void)
{
    for (int i = 0; worker_step(reconcile_worker(r)) || worker_resume(reconcile_worker(r)); i++)
        assert_true(i < 1000);
}

#endif
