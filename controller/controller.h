/*
 * controller: the daemon: watches policies and everything that their checks
 * depend on, and keeps their statuses up to date.
 *
 * One loop. It starts by itself: it reads the cluster, fills the stores, waits
 * for the lease (if there is an election), then works on the queue until it is
 * stopped. on_stopped comes once, when everything is closed and freed: with NULL
 * after controller_stop or when a release is done, else with the reason why it
 * could not start or no longer leads.
 *
 *     struct controller *c;
 *     if (controller_start(loop, config, &options, on_stopped, user, &c, &err) != 0) ...
 *     uv_run(loop, UV_RUN_DEFAULT);
 */
#ifndef CONTROLLER_CONTROLLER_H
#define CONTROLLER_CONTROLLER_H

#include <stdbool.h>
#include <stddef.h>
#include <uv.h>

#include "client/auth/config.h"
#include "client/base/err.h"
#include "client/leader/election.h"
#include "controller/match/labelselector.h"
#include "controller/match/types.h"
#include "controller/reconcile/advisedkind.h"

enum {
    CONTROLLER_STOP_MS = 10 * 1000, /* how long writes under way may take to end */
};

struct controller;

/* Borrowed for the life of the controller. */
struct controller_options {
    const char *program; /* for the User-Agent */
    struct types_options types;
    int cel_go;           /* the release 0.N of cel-go in the server; 0: the one that its version came with */
    int also_check;       /* 1.N, for the condition ValidOnNextVersion; 0: none */
    bool has_find_params; /* look for the parameters that bindings name (advise.h) */
    const struct labelselector *selector; /* the selector of policies; NULL for every policy */
    size_t max_writes;
    bool is_conditions_only;
    unsigned kinds;              /* a sum of ADVISEDKIND_BIT: the kinds that flags ask for beside policies */
    const char *metrics_address; /* as serve.h has it */
    const char *health_address;  /* the address of the probes; NULL if they are beside the metrics */
    bool is_release;             /* release what is ours on every policy, then stop */
    bool is_elected;             /* work only as the holder of the lease */
    struct election_options election; /* but for its callbacks */
};

/* config is borrowed for the life of the controller. Errors: of the credentials, the CA and the
 * addresses; then on_stopped does not come. */
int controller_start(uv_loop_t *loop, const struct config *config, const struct controller_options *options,
                     void (*on_stopped)(void *user, const struct err *err), void *user,
                     struct controller **out, struct err *err) MUST_CHECK;

/* Starts no new work, lets running writes end, and closes everything. A second call does nothing. */
void controller_stop(struct controller *controller);

#endif
