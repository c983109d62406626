#include "tests/support/router.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "client/text/yaml.h"
#include "tests/support/statusapply.h"
#include "tests/support/watcher.h"

static const char fault_path[] = "/fault/";

/* One request for a stored kind. */
struct ask {
    const struct httpd_request *request;
    struct cluster *cluster;
    struct objects *objects;
    const struct objects_kind *kind;
    char name[256]; /* "": the collection */
    bool is_status;
    struct reply *reply;
};

static bool is_method(const struct ask *a, const char *method)
{
    return strcmp(a->request->method, method) == 0;
}

static void answer(const struct ask *a, int status, struct json_object *value)
{
    reply_object(a->reply, status, value, httpd_accepts(a->request, "yaml"));
}

/* The body, JSON or YAML, as an object of the kind and name that the URL has; the caller puts it. */
static struct json_object *read_object(const struct ask *a)
{
    struct yaml *yaml;
    struct err err = {0};
    if (yaml_parse(a->request->body, a->request->len, &yaml, NULL, &err) != 0) {
        reply_problem(a->reply, 400, "BadRequest", "the body cannot be read: %s", err.msg);
        return NULL;
    }
    struct json_object *object = yaml_count(yaml) == 1 ? json_object_get(yaml_root(yaml, 0)->json) : NULL;
    cleanup_mem char *api_version = mem_printf("%s/%s", a->kind->group, a->kind->version);
    const char *name = jsonval_string_or_empty(jsonval_get(object, "metadata"), "name");
    yaml_close(yaml);
    if (strcmp(jsonval_string_or_empty(object, "apiVersion"), api_version) != 0 ||
        strcmp(jsonval_string_or_empty(object, "kind"), a->kind->kind) != 0)
        reply_problem(a->reply, 400, "BadRequest", "the body is no %s of %s", a->kind->kind, api_version);
    else if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-.") != strlen(name) || name[0] == '\0')
        reply_problem(a->reply, 422, "Invalid", "metadata.name: \"%s\" is no name", name);
    else if (a->name[0] != '\0' && strcmp(a->name, name) != 0)
        reply_problem(a->reply, 400, "BadRequest", "the body's name is %s, the URL's %s", name, a->name);
    else if (httpd_query(a->request, "dryRun")[0] != '\0')
        reply_problem(a->reply, 400, "BadRequest", "this server has no dry run");
    else
        return object;
    json_object_put(object);
    return NULL;
}

static void list(const struct ask *a, const char *name)
{
    uint64_t version;
    bool is_partial = httpd_accepts(a->request, "as=PartialObjectMetadata");
    if (watcher_version(a->objects, a->request, &version, a->reply) != 0)
        return;
    cleanup_json struct json_object *all = reply_value(
        "{'kind':'%sList','apiVersion':'%s/%s','metadata':{'resourceVersion':'%llu'}}",
        is_partial ? "PartialObjectMetadata" : a->kind->kind, is_partial ? "meta.k8s.io" : a->kind->group,
        a->kind->version, (unsigned long long)objects_version(a->objects));
    struct json_object *items = objects_list(a->objects, a->kind, name);
    for (size_t i = 0; is_partial && i < jsonval_length(items); i++)
        json_object_array_put_idx(items, i, watcher_metadata_of(jsonval_at(items, i)));
    json_object_object_add(all, "items", items);
    answer(a, 200, all);
}

static void read_collection(const struct ask *a)
{
    static const char by_name[] = "metadata.name=";
    const char *selector = httpd_query(a->request, "fieldSelector");
    bool is_by_name = strncmp(selector, by_name, strlen(by_name)) == 0 && strchr(selector, ',') == NULL;
    const char *name = is_by_name ? selector + strlen(by_name) : "";
    if (httpd_query(a->request, "labelSelector")[0] != '\0' || (selector[0] != '\0' && !is_by_name))
        reply_problem(a->reply, 400, "BadRequest", "this server selects by metadata.name only");
    else if (httpd_is_true(a->request, "watch"))
        a->reply->stream = watcher_new(a->objects, a->kind, name, a->request, a->reply);
    else
        list(a, name);
}

static void write_object(const struct ask *a)
{
    bool is_create = is_method(a, "POST");
    cleanup_json struct json_object *object = read_object(a);
    if (object == NULL)
        return;
    json_object_object_del(object, "status");
    if (a->kind == &objects_kinds[OBJECTS_CRDS] && cluster_admit_crd(a->cluster, object, a->reply) != 0)
        return;
    if ((is_create ? objects_create : objects_replace)(a->objects, a->kind, object, a->reply) == 0)
        answer(a, is_create ? 201 : 200, object);
}

static void delete_object(const struct ask *a)
{
    cleanup_json struct json_object *last = objects_delete(a->objects, a->kind, a->name, a->reply);
    if (last != NULL)
        answer(a, 200, last);
}

static void patch(const struct ask *a)
{
    const char *manager = httpd_query(a->request, "fieldManager");
    bool is_apply = strncmp(httpd_header(a->request, "Content-Type"), "application/apply-patch", 23) == 0;
    if (!is_apply || !a->is_status || a->kind != &objects_kinds[OBJECTS_POLICIES] || manager[0] == '\0') {
        reply_problem(a->reply, 415, "UnsupportedMediaType",
                      "this server takes no patch, but for the controller's apply to a policy's /status: "
                      "edit the file and use kubectl replace -f FILE");
        return;
    }
    cleanup_json struct json_object *body = read_object(a), *next = NULL;
    struct json_object *stored = objects_get(a->objects, a->kind, a->name);
    if (body == NULL || (next = statusapply(stored, body, a->kind, manager, a->reply)) == NULL)
        return;
    if (next != stored)
        objects_put(a->objects, a->kind, "MODIFIED", next);
    answer(a, 200, next);
}

static void read_one(const struct ask *a)
{
    struct json_object *object = objects_get(a->objects, a->kind, a->name);
    if (object == NULL)
        reply_problem(a->reply, 404, "NotFound", "%s.%s \"%s\" not found", a->kind->resource, a->kind->group,
                      a->name);
    else
        answer(a, 200, object);
}

static void route_object(const struct ask *a)
{
    bool is_one = a->name[0] != '\0';
    if (is_method(a, "GET"))
        (is_one ? read_one : read_collection)(a);
    else if (is_method(a, "PATCH") && is_one)
        patch(a);
    else if (is_method(a, "DELETE") && is_one && !a->is_status)
        delete_object(a);
    else if ((is_method(a, "POST") && !is_one) || (is_method(a, "PUT") && is_one && !a->is_status))
        write_object(a);
    else
        reply_problem(a->reply, 405, "MethodNotAllowed", "this server has no %s here", a->request->method);
}

/* PUT /fault/STATUS, or /fault/cut. */
static void order_fault(const struct httpd_request *request, struct cluster *cluster, struct reply *reply)
{
    const char *what = request->path + strlen(fault_path);
    cluster->fault = strcmp(what, "cut") == 0 ? -1 : (int)strtol(what, NULL, 10);
    buf_puts(&reply->body, "{}");
}

/* Makes the reply of the present fault. Returns false if there is none. A 429 says when to try again. */
static bool fail(const struct httpd_request *request, struct cluster *cluster, struct reply *reply)
{
    int fault = cluster->fault;
    if (fault == 0 || strncmp(httpd_header(request, "User-Agent"), "vapcheck-controller/", 20) != 0)
        return false;
    cluster->fault = 0;
    reply->is_cut = fault < 0;
    reply->has_retry_after = fault == 429;
    reply_problem(reply, fault < 0 ? 502 : fault, "Ordered", "this request was to fail");
    return true;
}

static void route(const struct httpd_request *request, struct cluster *cluster, struct reply *reply)
{
    char group[256], version[64], resource[256], subresource[64] = "";
    struct ask a = {.request = request, .cluster = cluster, .objects = cluster->objects, .reply = reply};
    int parts = sscanf(request->path, "/apis/%255[^/]/%63[^/]/%255[^/]/%255[^/]/%63s", group, version,
                       resource, a.name, subresource);
    a.kind = parts >= 3 ? objects_kind(group, version, resource) : NULL;
    a.is_status = strcmp(subresource, "status") == 0;
    if (a.kind != NULL && (subresource[0] == '\0' || a.is_status))
        route_object(&a);
    else if (!is_method(&a, "GET") || cluster_publish(cluster, request->path, reply) != 0)
        reply_problem(reply, 404, "NotFound",
                      "this server has no %s: it keeps policies, their bindings, CRDs and APIServices, and "
                      "knows other resources by their schemas only",
                      request->path);
    if (reply->etag[0] != '\0' && strcmp(reply->etag, httpd_header(request, "If-None-Match")) == 0) {
        reply->status = 304;
        buf_reset(&reply->body);
    }
}

void router_handle(void *user, const struct httpd_request *request, struct reply *reply)
{
    struct cluster *cluster = user;
    objects_lock(cluster->objects);
    if (strncmp(request->path, fault_path, strlen(fault_path)) == 0 && strcmp(request->method, "PUT") == 0)
        order_fault(request, cluster, reply);
    else if (!fail(request, cluster, reply))
        route(request, cluster, reply);
    objects_unlock(cluster->objects);
}
