/*
 * A cluster as a test scripts it: what reconcile and review ask of the loop, of
 * the cluster and of its schemas is defined here instead of in the libraries.
 * It serves deployments of apps/v1. Time is the loop's field.
 *
 * begin_cluster() before each test; make_cluster and drop_cluster are the
 * group's setup and teardown.
 */
#ifndef UNIT_CONTROLLER_SCRIPTEDCLUSTER_H
#define UNIT_CONTROLLER_SCRIPTEDCLUSTER_H

#include "client/base/log.h"
#include "client/discovery/discovery_parse.h"
#include "controller/reconcile/cluster.h"
#include "typecheck/cel/schema/schema_document.h"
#include "typecheck/cel/types/celgo.h"

enum { MAX_CALLS = 64 };

static uv_loop_t loop;
static struct discovery *discovery;
static struct env *env;
static struct schema *schema;
static enum openapi_state document_state;
static bool is_settling;
static bool has_cluster; /* a release has none, and must not ask it */
static unsigned n_misses;
static unsigned n_holds; /* of what was replaced meanwhile */

/* What was replaced while it was held. */
static struct {
    void *object;
    void (*free_object)(void *object);
} retired[MAX_CALLS];
static size_t n_retired;

struct openapi_call {
    bool is_open;
    void (*on_done)(void *user);
    void *user;
};

static struct openapi_call requires[MAX_CALLS];
static size_t n_requires;

static void begin_cluster(void)
{
    loop.time = (uint64_t)1000 * 1000;
    document_state = OPENAPI_FRESH;
    is_settling = false;
    has_cluster = true;
    n_misses = n_holds = 0;
    n_requires = 0;
}

uv_loop_t *api_loop(const struct api *api)
{
    (void)api;
    return &loop;
}

const struct discovery *cluster_discovery(const struct cluster *cluster)
{
    (void)cluster;
    assert_true(has_cluster);
    return discovery;
}

const struct env *cluster_env(const struct cluster *cluster)
{
    (void)cluster;
    return env;
}

const struct env *cluster_new_env(const struct cluster *cluster)
{
    (void)cluster;
    return env;
}

struct openapi *cluster_openapi(const struct cluster *cluster)
{
    (void)cluster;
    assert_true(has_cluster);
    return NULL;
}

void cluster_hold(struct cluster *cluster, struct hold *hold)
{
    (void)cluster;
    hold->is_taken = true;
    n_holds++;
}

void cluster_release(struct cluster *cluster, struct hold *hold)
{
    (void)cluster;
    assert_true(has_cluster);
    assert_true(hold->is_taken && n_holds > 0);
    hold->is_taken = false;
    n_holds--;
    for (; n_holds == 0 && n_retired > 0; n_retired--)
        retired[n_retired - 1].free_object(retired[n_retired - 1].object);
}

void cluster_retire(struct cluster *cluster, void *object, void (*free_object)(void *object))
{
    (void)cluster;
    if (object == NULL)
        return;
    if (n_holds == 0) {
        free_object(object);
        return;
    }
    assert_true(n_retired < MAX_CALLS);
    retired[n_retired].object = object;
    retired[n_retired++].free_object = free_object;
}

uint64_t cluster_revision(const struct cluster *cluster)
{
    (void)cluster;
    return ((uint64_t)(uintptr_t)discovery ^ (uint64_t)(uintptr_t)schema) + document_state;
}

uint64_t cluster_env_revision(const struct cluster *cluster)
{
    (void)cluster;
    return 0;
}

int cluster_minor(const struct cluster *cluster)
{
    (void)cluster;
    assert_true(has_cluster);
    return 36;
}

int cluster_newer_minor(const struct cluster *cluster)
{
    (void)cluster;
    assert_true(has_cluster);
    return 0;
}

void cluster_miss(struct cluster *cluster, const char *group)
{
    (void)cluster;
    assert_string_equal(group, "apps");
    n_misses++;
}

bool cluster_is_settling(const struct cluster *cluster)
{
    (void)cluster;
    assert_true(has_cluster);
    return is_settling;
}

void *openapi_lookup(const struct openapi *openapi, const char *path, enum openapi_state *state)
{
    (void)openapi;
    assert_string_equal(path, "apis/apps/v1");
    *state = document_state;
    return document_state == OPENAPI_FRESH || document_state == OPENAPI_STALE ? schema : NULL;
}

struct openapi_call *openapi_require(struct openapi *openapi, const char *const *paths, size_t count,
                                     void (*on_done)(void *user), void *user)
{
    (void)openapi;
    assert_int_equal(count, 1);
    assert_string_equal(paths[0], "apis/apps/v1");
    requires[n_requires] = (struct openapi_call){true, on_done, user};
    return &requires[n_requires++];
}

void openapi_cancel(struct openapi_call *call)
{
    if (call != NULL)
        call->is_open = false;
}

static void gathered(size_t call)
{
    assert_true(call < n_requires && requires[call].is_open);
    requires[call].is_open = false;
    requires[call].on_done(requires[call].user);
}

static int make_cluster(void **state)
{
    static const char groups[] =
        "{\"kind\":\"APIGroupDiscoveryList\",\"apiVersion\":\"apidiscovery.k8s.io/v2\",\"items\":[{"
        "\"metadata\":{\"name\":\"apps\"},\"versions\":[{\"version\":\"v1\",\"freshness\":\"Current\","
        "\"resources\":[{\"resource\":\"deployments\",\"responseKind\":{\"group\":\"apps\",\"version\":"
        "\"v1\","
        "\"kind\":\"Deployment\"},\"scope\":\"Namespaced\",\"singularResource\":\"deployment\","
        "\"verbs\":[\"create\",\"update\",\"delete\"]}]}]}]}";
    static const char document[] =
        "{\"components\":{\"schemas\":{\"io.k8s.api.apps.v1.Deployment\":{\"type\":\"object\",\"properties\":"
        "{\"spec\":{"
        "\"type\":\"object\",\"properties\":{\"replicas\":{\"type\":\"integer\"}}}},"
        "\"x-kubernetes-group-version-kind\":[{\"group\":\"apps\",\"version\":\"v1\",\"kind\":\"Deployment\"}"
        "]"
        "}}}}";
    struct err err = {0};
    char message[128];
    (void)state;
    log_set_level(LOG_LEVEL_ERROR);
    env = env_new(36, celgo_in(ENV_NEWEST_LEVEL));
    schema = schema_new(document, sizeof document - 1, message, sizeof message, NULL);
    return env != NULL && schema != NULL
               ? discovery_parse(NULL, 0, groups, sizeof groups - 1, &discovery, &err)
               : -1;
}

static int drop_cluster(void **state)
{
    (void)state;
    env_free(env);
    schema_free(schema);
    discovery_free(discovery);
    return 0;
}

#endif
