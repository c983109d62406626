/*
 * cluster: keeps up to date what is known about the cluster: its version (and so
 * the CEL environment), what it serves, and its OpenAPI documents.
 *
 * One loop. on_ready comes once, when version, discovery and the OpenAPI index have answered; before that
 * on_failed may come instead, once. Each of the three has its own timer, and believes a change by the rule
 * of client/discovery/polled.h. A value that a getter returns is valid until control returns to the loop, or
 * as long as it is held.
 *
 *     struct cluster *c = cluster_start(api, &options);
 *     ... on_ready ... on_group(user, "apps"): check again what depends on it
 *     cluster_close(c, on_closed, user);
 */
#ifndef CONTROLLER_RECONCILE_CLUSTER_H
#define CONTROLLER_RECONCILE_CLUSTER_H

#include <stdbool.h>

#include "client/discovery/discovery.h"
#include "client/discovery/openapi.h"
#include "client/rest/api.h"
#include "controller/reconcile/holds.h"
#include "typecheck/version.h"

enum {
    CLUSTER_START_MS = 10 * 1000,  /* how long a server may be unreachable at start */
    CLUSTER_ANSWER_MS = 30 * 1000, /* how long one of its answers may take at start */
    CLUSTER_OLD_MS = 90 * 1000,    /* discovery that could not be read for so long is old */
    CLUSTER_SETTLE_MS = 5 * 1000,  /* how long after a trigger discovery and schemas may differ */
};

struct cluster;

struct cluster_options {
    void (*on_ready)(void *user);
    void (*on_failed)(void *user,
                      const struct err *err);        /* the start failed; the cluster must still be closed */
    void (*on_group)(void *user, const char *group); /* the resources of the group changed */
    void (*on_document)(void *user, const char *path); /* an OpenAPI document changed */
    void (*on_version)(void *user);                    /* the CEL environment changed */
    bool (*is_document_needed)(void *user,
                               const char *path); /* a document that is not needed is dropped after a while */
    void *user;
    int cel_go; /* the release 0.N of cel-go in the server; 0: the one that its version came with */
};

/* No callback comes before this returns. api must outlive it. */
struct cluster *cluster_start(struct api *api, const struct cluster_options *options);

/* Afterwards no callback comes but on_closed; then the cluster is freed. */
void cluster_close(struct cluster *cluster, void (*on_closed)(void *user), void *user);

/* Must be called when a CRD or APIService of this group appeared, changed or was deleted. */
void cluster_trigger(struct cluster *cluster, const char *group);

/* Must be called when a kind of this group is served but has no schema, which may come soon. This counts as
 * a trigger, but only once until the resources of the group change, since some schemas never come. */
void cluster_miss(struct cluster *cluster, const char *group);

/* Returns true if the last trigger was so recent that discovery and schemas may not agree yet. */
bool cluster_is_settling(const struct cluster *cluster);

/* The values of the getters, and the schemas, stay in memory until the hold is released, even if they are
 * replaced. */
void cluster_hold(struct cluster *cluster, struct hold *hold);
void cluster_release(struct cluster *cluster, struct hold *hold);

/* Takes an object that was made of these values and is no longer found: it is freed once they could be. */
void cluster_retire(struct cluster *cluster, void *object, void (*free_object)(void *object));

/* Another number each time that the discovery or a schema is another, and that the environment is. */
uint64_t cluster_revision(const struct cluster *cluster);
uint64_t cluster_env_revision(const struct cluster *cluster);

/* Valid from on_ready on. */
const struct discovery *cluster_discovery(const struct cluster *cluster);
const struct env *cluster_env(const struct cluster *cluster);     /* of stored expressions */
const struct env *cluster_new_env(const struct cluster *cluster); /* of new expressions */
struct openapi *cluster_openapi(const struct cluster *cluster);
/* Returns when the index of schemas was read last (uv_now). */
uint64_t cluster_schemas_ms(const struct cluster *cluster);
/* The minor version of the server; 0 if it was not read yet. */
int cluster_minor(const struct cluster *cluster);

/* The minor of a server that is newer than every table; 0 for others. */
int cluster_newer_minor(const struct cluster *cluster);

#endif
