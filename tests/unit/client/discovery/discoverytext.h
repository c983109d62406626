/*
 * discoverytext: documents that the tests of discovery read.
 */
#ifndef TESTS_UNIT_CLIENT_DISCOVERY_DISCOVERYTEXT_H
#define TESTS_UNIT_CLIENT_DISCOVERY_DISCOVERYTEXT_H

#include <string.h>

#include "client/discovery/discovery_legacy.h"
#include "client/discovery/discovery_parse.h"

#define VERSION(version, more, resources)                                                                    \
    "{\"version\":\"" version "\"," more "\"resources\":[" resources "]}"
#define GROUP(name, versions) "{\"metadata\":{\"name\":\"" name "\"},\"versions\":[" versions "]}"
#define LIST(items)                                                                                          \
    "{\"kind\":\"APIGroupDiscoveryList\",\"apiVersion\":\"apidiscovery.k8s.io/v2\",\"items\":[" items "]}"
#define DEPLOYMENTS                                                                                          \
    "{\"resource\":\"deployments\",\"responseKind\":{\"group\":\"\",\"version\":\"\",\"kind\":"              \
    "\"Deployment\"},"                                                                                       \
    "\"scope\":\"Namespaced\",\"singularResource\":\"deployment\",\"verbs\":[\"get\",\"create\"],"           \
    "\"shortNames\":[\"deploy\"],\"subresources\":[{\"subresource\":\"scale\",\"responseKind\":{\"group\":"  \
    "\"autoscaling\",\"version\":\"v1\",\"kind\":\"Scale\"},\"verbs\":[\"update\"]},{\"subresource\":"       \
    "\"odd\"}]}"

static const char core[] __attribute__((unused)) = LIST("{\"metadata\":{},\"versions\":[" VERSION(
    "v1", "",
    "{\"resource\":\"nodes\",\"responseKind\":{\"kind\":\"Node\"},\"scope\":\"Cluster\",\"verbs\":[]}") "]}");
static const char apps[] __attribute__((unused)) =
    LIST(GROUP("apps", VERSION("v1", "", DEPLOYMENTS)) "," GROUP(
        "z.io",
        VERSION("v2", "\"freshness\":\"Stale\",", "") "," VERSION("v1", "\"freshness\":\"Current\",", "")));

static inline struct discovery *parse(const char *a, const char *b)
{
    struct discovery *d;
    struct err err;
    if (discovery_parse(a, a ? strlen(a) : 0, b, b ? strlen(b) : 0, &d, &err) != 0)
        fail_msg("%s", err.msg);
    return d;
}

static const struct discovery_legacy_document legacy[] __attribute__((unused)) = {
    {"/api", "{\"kind\":\"APIVersions\",\"versions\":[\"v1\"]}", 40},
    {"/apis",
     "{\"kind\":\"APIGroupList\",\"groups\":[{\"name\":\"apps\",\"versions\":[{\"groupVersion\":\"apps/"
     "v1\",\"version\":"
     "\"v1\"},{\"groupVersion\":\"apps/"
     "v1beta1\",\"version\":\"v1beta1\"}],\"preferredVersion\":{\"version\":\"v1\"}}]}",
     0},
    {"/api/v1",
     "{\"kind\":\"APIResourceList\",\"groupVersion\":\"v1\",\"resources\":[{\"name\":\"pods/"
     "eviction\",\"namespaced\":true,"
     "\"group\":\"policy\",\"version\":\"v1\",\"kind\":\"Eviction\",\"verbs\":[\"create\"]},{\"name\":"
     "\"pods\","
     "\"singularName\":\"pod\",\"namespaced\":true,\"kind\":\"Pod\",\"verbs\":[\"get\"],\"shortNames\":["
     "\"po\"]},"
     "{\"name\":\"pods/log\",\"namespaced\":true,\"kind\":\"Pod\",\"verbs\":[\"get\"]}]}",
     0},
    {"/apis/apps/v1", "{\"kind\":\"APIResourceList\",\"resources\":[]}", 0},
    {"/apis/apps/v1beta1", NULL, 0},
};

#endif
