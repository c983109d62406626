/*
 * gather: fetches the OpenAPI documents that one check needs, and decides after
 * the check whether to wait for documents that may still come.
 *
 * Embedded by its owner; all zero has asked for nothing.
 *
 *     if (gather_start(&op->gather, cluster_openapi(cluster), check, on_gathered, op))
 *         return;                                    on_gathered: ask again
 *     result = check_run(check, ...);
 *     wait_ms = gather_wait_ms(cluster, &object->patience, result, now_ms);
 */
#ifndef CONTROLLER_RECONCILE_GATHER_H
#define CONTROLLER_RECONCILE_GATHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/findings/check.h"
#include "controller/reconcile/cluster.h"

enum {
    GATHER_SETTLING_MS = 1000,     /* until a schema that may come soon is looked for again */
    GATHER_PATIENCE_MS = 30 * 1000 /* how long to wait for a group that cannot be read */
};

/* The state of an object between its checks; all zero waits for nothing. */
struct gather_patience {
    bool is_waiting;
    uint64_t since_ms;
};

struct gather {
    uint64_t *asked; /* sorted hashes of the paths that were asked for: once is enough, whatever the answer */
    size_t n_asked;
    struct openapi_call *call; /* the call for a document; NULL if none is under way */
    void (*on_done)(void *user);
    void *user;
};

/* Returns true if documents must be read first. Then reading has begun, and on_done is called once, later. */
bool gather_start(struct gather *gather, struct openapi *openapi, const struct check *check,
                  void (*on_done)(void *user), void *user);
/* Returns true if all documents of the check are read, and none is older than the index says. */
bool gather_is_complete(const struct openapi *openapi, const struct check *check);
/* Cancels what is under way. */
void gather_deinit(struct gather *gather);

/* The lookup for check_run, with the openapi as its user. */
const struct schema *gather_lookup(void *openapi, const char *path, enum openapi_state *state);

/* Returns how long to wait before this result counts, because a group was not read yet or a schema may come
 * soon; 0 if it counts. Reports missing schemas to the cluster. */
uint64_t gather_wait_ms(struct cluster *cluster, struct gather_patience *patience,
                        const struct check_result *result, uint64_t now_ms);

#endif
