#include "cmd/kubectl-vapcheck/audit/surroundings.h"

#include <string.h>

#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/http/url.h"
#include "client/text/jsonval.h"
#include "controller/apiserver/defaults/requestobject.h"

enum { PAGE = 500 };

static void put_json(void *value)
{
    json_object_put(value);
}

static void forget(struct surroundings_answer *answer)
{
    mem_free(answer->path);
    paramfind_deinit(&answer->objects);
    *answer = (struct surroundings_answer){0};
}

void surroundings_deinit(struct surroundings *s)
{
    keymap_deinit(&s->namespaces, put_json);
    keymap_deinit(&s->param_kinds, NULL);
    paramfind_deinit(&s->objects);
    for (size_t i = 0; i < SURROUNDINGS_KEPT; i++)
        forget(&s->kept[i]);
}

/* ---- objects of files ---- */

void surroundings_need(struct surroundings *s, struct json_object *policy)
{
    struct json_object *kind = jsonval_get(jsonval_get(policy, "spec"), "paramKind");
    cleanup_mem char *key = mem_printf("%s/%s", jsonval_string_or_empty(kind, "apiVersion"),
                                       jsonval_string_or_empty(kind, "kind"));
    if (kind != NULL)
        (void)keymap_add(&s->param_kinds, key);
}

bool surroundings_is_param(const struct surroundings *s, struct json_object *object)
{
    const char *api_version = jsonval_string_or_empty(object, "apiVersion");
    cleanup_mem char *key = mem_printf("%s/%s", api_version, jsonval_string_or_empty(object, "kind"));
    return keymap_get(&s->param_kinds, key) != NULL;
}

void surroundings_add(struct surroundings *s, struct json_object *object)
{
    const char *name = jsonval_metadata(object, "name");
    if (jsonval_is(object, "apiVersion", "v1") && jsonval_is(object, "kind", "Namespace"))
        json_object_put(keymap_put(&s->namespaces, name, requestobject_namespace(name, object)));
    if (surroundings_is_param(s, object))
        paramfind_add(&s->objects, object);
}

/* ---- objects of a cluster ---- */

static void complete(struct json_object *object, const char *api_version, const char *kind)
{
    jsonval_set(object, "apiVersion", json_object_new_string(api_version));
    jsonval_set(object, "kind", json_object_new_string(kind));
}

static int on_item(void *user, const char *bytes, size_t len, struct err *err)
{
    cleanup_json struct json_object *object = NULL;
    if (jsonval_parse(bytes, len, &object, err) != 0)
        return -1;
    paramfind_add(user, object);
    return 0;
}

static void read_one(struct surroundings *s, struct surroundings_answer *answer)
{
    cleanup_json struct json_object *object = NULL;
    const char *bytes;
    size_t len;
    if (remote_get(s->remote, answer->path, &bytes, &len, &answer->err) != 0)
        return;
    if (jsonval_parse(bytes, len, &object, &answer->err) == 0)
        paramfind_add(&answer->objects, object);
    remote_forget_last(s->remote);
}

static void read_list(struct surroundings *s, struct surroundings_answer *answer)
{
    cleanup_mem char *token = NULL;
    do {
        if (remote_list(s->remote, answer->path, PAGE, &token, on_item, &answer->objects, &answer->err) != 0)
            return;
    } while (token != NULL);
}

/* The answer to a path, which is taken. name NULL: a list. Failures are kept as well. */
static const struct surroundings_answer *ask(struct surroundings *s, char *take_path, bool is_list)
{
    for (size_t i = 0; i < SURROUNDINGS_KEPT; i++) {
        if (s->kept[i].path != NULL && strcmp(s->kept[i].path, take_path) == 0) {
            mem_free(take_path);
            return &s->kept[i];
        }
    }
    struct surroundings_answer *answer = &s->kept[s->next++ % SURROUNDINGS_KEPT];
    forget(answer);
    answer->path = take_path;
    if (is_list)
        read_list(s, answer);
    else
        read_one(s, answer);
    return answer;
}

void *surroundings_fail(struct surroundings *s, const struct err *why, struct err *err)
{
    s->n_failures++;
    err_copy(&s->failure, why);
    err_copy(err, why);
    return NULL;
}

/* ---- namespaces ---- */

static struct json_object *assume_namespace(struct surroundings *s, const char *name)
{
    struct json_object *made = requestobject_namespace(name, NULL);
    (void)keymap_put(&s->namespaces, name, made);
    s->n_assumed++;
    return made;
}

struct json_object *surroundings_namespace(struct surroundings *s, const char *name, struct err *err)
{
    struct json_object *found = keymap_get(&s->namespaces, name);
    if (found == NULL && s->remote == NULL)
        found = assume_namespace(s, name);
    if (found != NULL)
        return found;
    const struct url_resource parts = {.group_version = "v1", .resource = "namespaces", .name = name};
    const struct surroundings_answer *answer = ask(s, url_resource(&parts), false);
    if (answer->objects.count != 0)
        return answer->objects.objects[0];
    return surroundings_fail(s, &answer->err, err);
}

/* ---- params ---- */

static const struct discovery_resource *find_kind(const struct surroundings *s, const char *api_version,
                                                  const char *kind)
{
    cleanup_groupversion struct groupversion gv = groupversion_split(api_version);
    const struct discovery_version *v = discovery_find_version(s->discovery, gv.group, gv.version);
    return v == NULL ? NULL : discovery_find_kind(v, kind);
}

static enum paramfind_scope param_scope(void *user, const char *api_version, const char *kind)
{
    const struct discovery_resource *r = find_kind(user, api_version, kind);
    if (r == NULL)
        return PARAMFIND_UNKNOWN;
    return r->is_namespaced ? PARAMFIND_NAMESPACED : PARAMFIND_CLUSTER;
}

static bool is_meant(struct json_object *object, const struct paramfind_query *query)
{
    const char *namespace = jsonval_metadata(object, "namespace");
    namespace = namespace[0] == '\0' ? "default" : namespace;
    return jsonval_is(object, "apiVersion", query->api_version) && jsonval_is(object, "kind", query->kind) &&
           (query->namespace == NULL || strcmp(query->namespace, namespace) == 0) &&
           (query->name == NULL || strcmp(query->name, jsonval_metadata(object, "name")) == 0);
}

/* A file's object stands for that of the cluster. */
static bool is_local(const struct paramfind *found, size_t count, struct json_object *object)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(jsonval_metadata(found->objects[i], "name"), jsonval_metadata(object, "name")) == 0)
            return true;
    }
    return false;
}

static int find_params(void *user, const struct paramfind_query *query, struct paramfind *out,
                       struct err *err)
{
    struct surroundings *s = user;
    for (size_t i = 0; i < s->objects.count; i++) {
        if (is_meant(s->objects.objects[i], query))
            paramfind_add(out, s->objects.objects[i]);
    }
    const size_t n_local = out->count;
    if (s->remote == NULL || (n_local > 0 && query->name != NULL))
        return 0;
    const struct discovery_resource *r = find_kind(s, query->api_version, query->kind);
    if (r == NULL)
        return 0;
    const struct url_resource parts = {.group_version = query->api_version,
                                       .namespace = query->namespace,
                                       .resource = r->name,
                                       .name = query->name};
    const struct surroundings_answer *answer = ask(s, url_resource(&parts), query->name == NULL);
    if (answer->err.code != ERR_NONE && answer->err.code != ERR_NOT_FOUND) {
        (void)surroundings_fail(s, &answer->err, err);
        return -1;
    }
    for (size_t i = 0; i < answer->objects.count; i++) {
        complete(answer->objects.objects[i], query->api_version, query->kind);
        if (!is_local(out, n_local, answer->objects.objects[i]))
            paramfind_add(out, answer->objects.objects[i]);
    }
    return 0;
}

struct paramfind_source surroundings_params(struct surroundings *s)
{
    return (struct paramfind_source){param_scope, find_params, s};
}

/* ---- other versions ---- */

struct json_object *surroundings_object(struct surroundings *s, const char *group, const char *version,
                                        const char *resource, const char *namespace, const char *name,
                                        struct err *err)
{
    cleanup_mem char *group_version = mem_printf("%s%s%s", group, group[0] == '\0' ? "" : "/", version);
    if (s->remote == NULL) {
        struct err why;
        (void)err_set(&why, ERR_INVALID,
                      "the policy sees objects of a file in version %s, to which the server converts them",
                      group_version);
        return surroundings_fail(s, &why, err);
    }
    const struct url_resource parts = {.group_version = group_version,
                                       .namespace = namespace[0] == '\0' ? NULL : namespace,
                                       .resource = resource,
                                       .name = name};
    const struct surroundings_answer *answer = ask(s, url_resource(&parts), false);
    if (answer->objects.count != 0)
        return json_object_get(answer->objects.objects[0]);
    return surroundings_fail(s, &answer->err, err);
}
