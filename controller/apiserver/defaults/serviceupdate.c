#include "controller/apiserver/defaults/serviceupdate.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "client/text/jsonval.h"

/* (registry/core/service: patchAllocatedValues and dropTypeDependentFields) */

struct update {
    struct arena *arena;
    struct json_object *spec, *old;
};

static bool needs_address(struct json_object *spec)
{
    return !jsonval_is(spec, "type", "ExternalName");
}

static bool is_balancer(struct json_object *spec)
{
    return jsonval_is(spec, "type", "LoadBalancer");
}

static bool needs_node_port(struct json_object *spec)
{
    struct json_object *allocate = jsonval_get(spec, "allocateLoadBalancerNodePorts");
    return jsonval_is(spec, "type", "NodePort") ||
           (is_balancer(spec) && (allocate == NULL || json_object_get_boolean(allocate)));
}

static bool needs_health_port(struct json_object *spec)
{
    return is_balancer(spec) && jsonval_is(spec, "externalTrafficPolicy", "Local");
}

static bool is_external(struct json_object *spec)
{
    return is_balancer(spec) || jsonval_is(spec, "type", "NodePort") ||
           (jsonval_is(spec, "type", "ClusterIP") && jsonval_length(jsonval_array(spec, "externalIPs")) > 0);
}

static void keep(const struct update *u, const char *key)
{
    if (jsonval_get(u->spec, key) == NULL && jsonval_get(u->old, key) != NULL)
        jsonval_set(u->spec, key, json_object_get(jsonval_get(u->old, key)));
}

static void drop_same(const struct update *u, const char *key)
{
    if (json_object_equal(jsonval_get(u->spec, key), jsonval_get(u->old, key)) != 0)
        jsonval_drop(u->spec, key);
}

/* ---- ports ---- */

static struct json_object *port_with(const struct update *u, struct json_object *spec, const char *key,
                                     struct json_object *value)
{
    struct json_object *ports = jsonval_array(spec, "ports"), *found = NULL;
    for (size_t i = 0; i < jsonval_length(ports); i++) {
        struct json_object *port = jsonval_at(ports, i), *own = jsonval_get(port, key);
        arena_step(u->arena);
        if (json_object_equal(own, value) != 0)
            found = port; /* the last one */
    }
    return found;
}

/* A port without one has that of the old port of the same name, unless another one has it now. */
static void keep_node_ports(const struct update *u)
{
    struct json_object *ports = jsonval_array(u->spec, "ports");
    for (size_t i = 0; i < jsonval_length(ports); i++) {
        struct json_object *port = jsonval_at(ports, i);
        if (jsonval_int(port, "nodePort", 0) != 0)
            continue;
        struct json_object *before = port_with(u, u->old, "name", jsonval_get(port, "name")),
                           *number = jsonval_get(before, "nodePort");
        if (number != NULL && port_with(u, u->spec, "nodePort", number) == NULL)
            jsonval_set(port, "nodePort", json_object_get(number));
    }
}

static bool has_new_node_port(const struct update *u)
{
    struct json_object *ports = jsonval_array(u->spec, "ports");
    for (size_t i = 0; i < jsonval_length(ports); i++) {
        struct json_object *number = jsonval_get(jsonval_at(ports, i), "nodePort");
        if (number != NULL && port_with(u, u->old, "nodePort", number) == NULL)
            return true;
    }
    return false;
}

static void drop_node_ports(const struct update *u)
{
    struct json_object *ports = jsonval_array(u->spec, "ports");
    for (size_t i = 0; i < jsonval_length(ports) && !has_new_node_port(u); i++)
        jsonval_drop(jsonval_at(ports, i), "nodePort");
}

/* ---- the whole ---- */

static void keep_allocated(const struct update *u)
{
    if (needs_address(u->old) && needs_address(u->spec)) {
        keep(u, "clusterIP");
        keep(u, "clusterIPs");
        keep(u, "ipFamilies");
        keep(u, "ipFamilyPolicy");
    }
    if (needs_node_port(u->old) && needs_node_port(u->spec))
        keep_node_ports(u);
    if (needs_health_port(u->old) && needs_health_port(u->spec))
        keep(u, "healthCheckNodePort");
}

static void drop_dependent(const struct update *u)
{
    if (needs_address(u->old) && !needs_address(u->spec)) {
        drop_same(u, "clusterIP");
        drop_same(u, "clusterIPs");
        drop_same(u, "ipFamilies");
        drop_same(u, "ipFamilyPolicy");
    }
    if (needs_node_port(u->old) && !needs_node_port(u->spec))
        drop_node_ports(u);
    if (needs_health_port(u->old) && !needs_health_port(u->spec))
        drop_same(u, "healthCheckNodePort");
    if (is_balancer(u->old) && !is_balancer(u->spec)) {
        drop_same(u, "allocateLoadBalancerNodePorts");
        drop_same(u, "loadBalancerClass");
    }
    if (is_external(u->old) && !is_external(u->spec))
        drop_same(u, "externalTrafficPolicy");
}

void serviceupdate_apply(struct arena *a, struct json_object *service, struct json_object *old)
{
    const struct update u = {a, jsonval_get(service, "spec"), jsonval_get(old, "spec")};
    if (!json_object_is_type(u.spec, json_type_object))
        return;
    keep_allocated(&u);
    drop_dependent(&u);
    struct json_object *status = jsonval_get(service, "status");
    if (!is_balancer(u.spec) && jsonval_count(jsonval_get(status, "loadBalancer")) > 0) {
        struct json_object *cleared = jsonval_copy(status);
        jsonval_set(cleared, "loadBalancer", json_object_new_object());
        jsonval_set(service, "status", cleared);
    }
}
