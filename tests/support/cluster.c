#include "tests/support/cluster.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/crd/crds.h"

#define AGGREGATED "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
#define GVK        "{'group':'%s','version':'%s','kind':'%s'}"

static struct json_object *from_snapshot(const struct cluster *c, const char *path)
{
    const char *bytes;
    size_t len;
    struct json_object *value = NULL;
    if (clusterdump_get(c->snapshot, path, &bytes, &len, NULL) != 0 ||
        jsonval_parse(bytes, len, &value, NULL) != 0)
        return NULL;
    return value;
}

/* The element whose member (of its `outer`, unless that is NULL) is this name. */
static struct json_object *find(struct json_object *array, const char *outer, const char *member,
                                const char *name)
{
    for (size_t i = 0; i < jsonval_length(array); i++) {
        struct json_object *item = jsonval_at(array, i);
        struct json_object *holder = outer != NULL ? jsonval_get(item, outer) : item;
        if (strcmp(jsonval_string_or_empty(holder, member), name) == 0)
            return item;
    }
    return NULL;
}

/* The stored CRDs, as a server that has them shows them. */
static struct crds *stored_crds(const struct cluster *c)
{
    struct crds *crds = crds_new();
    cleanup_json struct json_object *list = objects_list(c->objects, &objects_kinds[OBJECTS_CRDS], "");
    for (size_t i = 0; i < jsonval_length(list); i++) {
        struct err err; /* not made: what cluster_admit_crd let in has what it needs */
        (void)!crds_add(crds, jsonval_at(list, i), &err);
    }
    return crds;
}

static struct json_object *groups(const struct cluster *c)
{
    cleanup_json struct json_object *apis = from_snapshot(c, "/apis");
    struct crds *crds = stored_crds(c);
    struct json_object *list = crds_discovery(crds, apis);
    crds_free(crds);
    return list;
}

/* What kubectl looks for in `paths`: explain finds a resource's kind there, and create that the
 * server takes fieldValidation, so that it need not validate itself. */
static void add_paths(const struct cluster *c, struct json_object *document, const char *group,
                      const char *version)
{
    cleanup_json struct json_object *list = group[0] == '\0' ? from_snapshot(c, "/api") : groups(c);
    struct json_object *of_group = find(jsonval_get(list, "items"), "metadata", "name", group);
    struct json_object *found = find(jsonval_get(of_group, "versions"), NULL, "version", version);
    struct json_object *resources = jsonval_get(found, "resources"), *paths = json_object_new_object();
    for (size_t i = 0; i < jsonval_length(resources); i++) {
        struct json_object *resource = jsonval_at(resources, i);
        bool is_namespaced = strcmp(jsonval_string_or_empty(resource, "scope"), "Namespaced") == 0;
        cleanup_mem char *path = mem_printf("/%s%s/%s%s/%s", group[0] == '\0' ? "api" : "apis/", group,
                                            version, is_namespaced ? "/namespaces/{namespace}" : "",
                                            jsonval_string_or_empty(resource, "resource"));
        const char *kind = jsonval_string_or_empty(jsonval_get(resource, "responseKind"), "kind");
        json_object_object_add(
            paths, path,
            reply_value(
                "{'get':{'x-kubernetes-group-version-kind':" GVK
                "},'patch':{'x-kubernetes-group-version-kind':" GVK
                ",'parameters':[{'in':'query','name':'fieldValidation','schema':{'type':'string'}}]}}",
                group, version, kind, group, version, kind));
    }
    json_object_object_add(document, "paths", paths);
}

/* path is "apis/apps/v1" or "api/v1". */
static struct json_object *document_at(const struct cluster *c, const char *path)
{
    char group[256] = "", version[64] = "";
    cleanup_mem char *url = mem_printf("/openapi/v3/%s", path);
    if (sscanf(path, "apis/%255[^/]/%63[^/]", group, version) != 2 &&
        sscanf(path, "api/%63[^/]", version) != 1)
        return from_snapshot(c, url);
    struct json_object *document = from_snapshot(c, url);
    if (document == NULL) {
        cleanup_json struct json_object *meta = from_snapshot(c, "/openapi/v3/apis/apps/v1");
        struct crds *crds = stored_crds(c);
        document = crds_document(crds, path, NULL, meta);
        crds_free(crds);
    }
    struct json_object *paths = jsonval_get(document, "paths");
    if (document != NULL && (paths == NULL || json_object_object_length(paths) == 0))
        add_paths(c, document, group, version);
    return document;
}

/* FNV-1a of its text. */
static uint64_t hash_of(struct json_object *value)
{
    uint64_t hash = 14695981039346656037u;
    for (const char *p = json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN); *p != '\0'; p++)
        hash = (hash ^ (unsigned char)*p) * 1099511628211u;
    return hash;
}

/* By its path the hash of each document that is made of CRDs: of what they publish there. */
static struct json_object *hash_documents(const struct cluster *c)
{
    struct json_object *sums = json_object_new_object();
    cleanup_json struct json_object *crds = objects_list(c->objects, &objects_kinds[OBJECTS_CRDS], "");
    for (size_t i = 0; i < jsonval_length(crds); i++) {
        struct json_object *spec = jsonval_get(jsonval_at(crds, i), "spec"),
                           *names = jsonval_get(spec, "names");
        struct json_object *versions = jsonval_get(spec, "versions");
        for (size_t j = 0; j < jsonval_length(versions); j++) {
            struct json_object *v = jsonval_at(versions, j);
            cleanup_mem char *path = mem_printf("apis/%s/%s", jsonval_string_or_empty(spec, "group"),
                                                jsonval_string_or_empty(v, "name"));
            uint64_t sum = json_object_get_uint64(jsonval_get(sums, path)) + hash_of(v) + 3 * hash_of(names);
            if (json_object_get_boolean(jsonval_get(v, "served")))
                json_object_object_add(sums, path, json_object_new_uint64(sum));
        }
    }
    return sums;
}

/* What the snapshot has, and the versions of CRDs that are served: those that have a document. */
static struct json_object *openapi_index(const struct cluster *c)
{
    struct json_object *index = from_snapshot(c, "/openapi/v3"), *paths = jsonval_get(index, "paths");
    cleanup_json struct json_object *sums = hash_documents(c);
    json_object_object_foreach(sums, path, sum)
        json_object_object_add(paths, path,
                               reply_value("{'serverRelativeURL':'/openapi/v3/%s?hash=%016llX'}", path,
                                           (unsigned long long)json_object_get_uint64(sum)));
    return index;
}

int cluster_publish(struct cluster *c, const char *path, struct reply *reply)
{
    cleanup_json struct json_object *value = NULL;
    if (strcmp(path, "/apis") == 0)
        value = groups(c);
    else if (strcmp(path, "/openapi/v3") == 0)
        value = openapi_index(c);
    else if (strncmp(path, "/openapi/v3/", strlen("/openapi/v3/")) == 0)
        value = document_at(c, path + strlen("/openapi/v3/"));
    else if (strcmp(path, "/version") == 0 || strcmp(path, "/api") == 0)
        value = from_snapshot(c, path);
    if (value == NULL)
        return -1;
    reply_object(reply, 200, value, false);
    if (strncmp(path, "/api", strlen("/api")) == 0) {
        reply->content_type = AGGREGATED;
        snprintf(reply->etag, sizeof reply->etag, "\"%016llX\"", (unsigned long long)hash_of(value));
    }
    return 0;
}

/* CustomResourceDefinitions */

/* Returns true if the member is a name, or is missing and not required. */
static bool has_name(struct json_object *object, const char *member, bool is_required)
{
    const char *name = jsonval_string_or_empty(object, member);
    while (isalnum((unsigned char)*name) || *name == '.' || *name == '-')
        name++;
    return *name == '\0' && (!is_required || jsonval_string_or_empty(object, member)[0] != '\0');
}

int cluster_admit_crd(struct cluster *c, struct json_object *crd, struct reply *reply)
{
    struct json_object *spec = jsonval_get(crd, "spec"), *names = jsonval_get(spec, "names");
    struct json_object *versions = jsonval_get(spec, "versions");
    const char *group = jsonval_string_or_empty(spec, "group");
    bool is_complete = has_name(spec, "group", true) && has_name(spec, "scope", true) &&
                       has_name(names, "plural", true) && has_name(names, "kind", true) &&
                       has_name(names, "singular", false);
    for (size_t i = 0; i < jsonval_length(versions); i++) {
        struct json_object *v = jsonval_at(versions, i);
        const char *version = jsonval_string_or_empty(v, "name");
        cleanup_mem char *path = mem_printf("/openapi/v3/apis/%s/%s", group, version);
        cleanup_json struct json_object *taken = from_snapshot(c, path);
        if (taken != NULL)
            return reply_problem(reply, 422, "Invalid", "the bundled schemas have %s/%s", group, version);
        is_complete = is_complete && has_name(v, "name", true) &&
                      jsonval_get(jsonval_get(v, "schema"), "openAPIV3Schema") != NULL;
    }
    if (!is_complete)
        return reply_problem(reply, 422, "Invalid",
                             "a CRD needs spec.group, .scope, .names.plural, .names.kind; "
                             "its versions name and schema.openAPIV3Schema");
    struct json_object *status = reply_value(
        "{'conditions':[{'type':'Established','status':'True','reason':'InitialNamesAccepted'}]}");
    json_object_object_add(status, "acceptedNames", json_object_get(names));
    json_object_object_add(crd, "status", status);
    return 0;
}
