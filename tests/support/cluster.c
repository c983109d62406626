#include "tests/support/cluster.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "client/jsonval.h"
#include "client/mem.h"

#define AGGREGATED "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
#define META       "io.k8s.apimachinery.pkg.apis.meta.v1."
#define GVK        "{'group':'%s','version':'%s','kind':'%s'}"

static struct json_object *from_snapshot(const struct cluster *c, const char *path)
{
    const char *bytes;
    size_t len;
    struct json_object *value = NULL;
    if (snapshot_get(c->snapshot, path, &bytes, &len, NULL) != 0 ||
        jsonval_parse(bytes, len, &value, NULL) != 0)
        return NULL;
    return value;
}

/* Discovery */

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

static struct json_object *find_version(struct json_object *group, const char *name)
{
    return find(jsonval_get(group, "versions"), NULL, "version", name);
}

static const char *version_of(struct json_object *served)
{
    return jsonval_string_or_empty(jsonval_get(served, "version"), "name");
}

static struct json_object *resource_of(struct json_object *served)
{
    struct json_object *names = jsonval_get(served, "names");
    cleanup_mem char *kind = mem_printf(GVK, jsonval_string_or_empty(served, "group"), version_of(served),
                                        jsonval_string_or_empty(names, "kind"));
    struct json_object *resource = reply_value(
        "{'resource':'%s','responseKind':%s,'scope':'%s','singularResource':'%s','verbs':['delete','"
        "deletecollection','get','list','patch','create','update','watch']}",
        jsonval_string_or_empty(names, "plural"), kind, jsonval_string_or_empty(served, "scope"),
        jsonval_string_or_empty(names, "singular"));
    if (jsonval_get(jsonval_get(jsonval_get(served, "version"), "subresources"), "status") != NULL)
        json_object_object_add(
            resource, "subresources",
            reply_value("[{'subresource':'status','responseKind':%s,'verbs':['get','patch','update']}]",
                        kind));
    if (jsonval_get(names, "shortNames") != NULL)
        json_object_object_add(resource, "shortNames", json_object_get(jsonval_get(names, "shortNames")));
    return resource;
}

/* Every served version of every stored CRD: its spec, with the version's members added to it. */
static struct json_object *served_versions(const struct cluster *c)
{
    struct json_object *served = json_object_new_array();
    cleanup_json struct json_object *crds = objects_list(c->objects, &objects_kinds[OBJECTS_CRDS], "");
    for (size_t i = 0; i < jsonval_length(crds); i++) {
        struct json_object *spec = jsonval_get(jsonval_at(crds, i), "spec");
        struct json_object *versions = jsonval_get(spec, "versions");
        for (size_t k = 0; k < jsonval_length(versions); k++) {
            struct json_object *one = NULL;
            if (!jsonval_is_true(jsonval_at(versions, k), "served") ||
                json_object_deep_copy(spec, &one, NULL) != 0)
                continue;
            json_object_object_add(one, "version", json_object_get(jsonval_at(versions, k)));
            json_object_array_add(served, one);
        }
    }
    return served;
}

static void add_resource(struct json_object *items, struct json_object *served)
{
    const char *name = jsonval_string_or_empty(served, "group"), *version = version_of(served);
    struct json_object *group = find(items, "metadata", "name", name), *listed = find_version(group, version);
    if (group == NULL) {
        group = reply_value("{'metadata':{'name':'%s'},'versions':[]}", name);
        json_object_array_add(items, group);
    }
    if (listed == NULL) {
        listed = reply_value("{'version':'%s','freshness':'Current','resources':[]}", version);
        json_object_array_add(jsonval_get(group, "versions"), listed);
    }
    json_object_array_add(jsonval_get(listed, "resources"), resource_of(served));
}

static struct json_object *groups(const struct cluster *c)
{
    struct json_object *list = from_snapshot(c, "/apis");
    cleanup_json struct json_object *served = served_versions(c);
    for (size_t i = 0; i < jsonval_length(served); i++)
        add_resource(jsonval_get(list, "items"), jsonval_at(served, i));
    return list;
}

/* OpenAPI v3 */

/* What a CRD's schema gains when it is published. */
static void add_schema(struct json_object *schemas, struct json_object *served)
{
    const char *kind = jsonval_string_or_empty(jsonval_get(served, "names"), "kind");
    const char *group = jsonval_string_or_empty(served, "group"), *version = version_of(served);
    struct json_object *schema =
        jsonval_get(jsonval_get(jsonval_get(served, "version"), "schema"), "openAPIV3Schema");
    struct json_object *properties = jsonval_get(schema, "properties");
    if (properties == NULL)
        json_object_object_add(schema, "properties", properties = json_object_new_object());
    json_object_object_add(properties, "apiVersion", reply_value("{'type':'string'}"));
    json_object_object_add(properties, "kind", reply_value("{'type':'string'}"));
    json_object_object_add(properties, "metadata",
                           reply_value("{'allOf':[{'$ref':'#/components/schemas/" META "ObjectMeta'}]}"));
    json_object_object_add(schema, "x-kubernetes-group-version-kind",
                           reply_value("[" GVK "]", group, version, kind));

    cleanup_mem char *name = mem_printf("%s.%s.%s", group, version, kind);
    json_object_object_add(schemas, name, json_object_get(schema));
}

/* The document of a group-version that only CRDs have; NULL if none has. */
static struct json_object *document_of_crds(const struct cluster *c, const char *group, const char *version)
{
    cleanup_json struct json_object *served = served_versions(c);
    struct json_object *document = from_snapshot(c, "/openapi/v3/apis/apiextensions.k8s.io/v1");
    struct json_object *schemas = json_object_new_object(), *components = jsonval_get(document, "components");
    json_object_object_foreach(jsonval_get(components, "schemas"), name, schema)
    {
        if (strncmp(name, META, strlen(META)) == 0)
            json_object_object_add(schemas, name, json_object_get(schema));
    }
    bool is_there = false;
    for (size_t i = 0; i < jsonval_length(served); i++) {
        struct json_object *one = jsonval_at(served, i);
        if (strcmp(jsonval_string_or_empty(one, "group"), group) == 0 &&
            strcmp(version_of(one), version) == 0) {
            add_schema(schemas, one);
            is_there = true;
        }
    }
    json_object_object_add(components, "schemas", schemas);
    json_object_object_del(document, "paths");
    if (!is_there)
        json_object_put(document);
    return is_there ? document : NULL;
}

/* What kubectl looks for in `paths`: explain finds a resource's kind there, and create that the
 * server takes fieldValidation, so that it need not validate itself. */
static void add_paths(const struct cluster *c, struct json_object *document, const char *group,
                      const char *version)
{
    cleanup_json struct json_object *list = group[0] == '\0' ? from_snapshot(c, "/api") : groups(c);
    struct json_object *found =
        find_version(find(jsonval_get(list, "items"), "metadata", "name", group), version);
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
    if (document == NULL)
        document = document_of_crds(c, group, version);
    struct json_object *paths = jsonval_get(document, "paths");
    if (document != NULL && (paths == NULL || json_object_object_length(paths) == 0))
        add_paths(c, document, group, version);
    return document;
}

/* FNV-1a of its text: new exactly when the content is. */
static uint64_t hash_of(struct json_object *value)
{
    uint64_t hash = 14695981039346656037u;
    for (const char *p = json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN); *p != '\0'; p++)
        hash = (hash ^ (unsigned char)*p) * 1099511628211u;
    return hash;
}

static struct json_object *openapi_index(const struct cluster *c)
{
    struct json_object *index = from_snapshot(c, "/openapi/v3");
    cleanup_json struct json_object *served = served_versions(c);
    for (size_t i = 0; i < jsonval_length(served); i++) {
        struct json_object *one = jsonval_at(served, i);
        cleanup_mem char *path =
            mem_printf("apis/%s/%s", jsonval_string_or_empty(one, "group"), version_of(one));
        cleanup_json struct json_object *document = document_at(c, path);
        json_object_object_add(jsonval_get(index, "paths"), path,
                               reply_value("{'serverRelativeURL':'/openapi/v3/%s?hash=%016llX'}", path,
                                           (unsigned long long)hash_of(document)));
    }
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

/* Whether the member is a name, and there if need be. */
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
