#include "controller/apiserver/dispatch/paramfind.h"

#include <string.h>

#include "client/base/mem.h"
#include "client/text/jsonval.h"
#include "controller/match/labelselector.h"

static struct json_object *param_kind(struct json_object *policy)
{
    return jsonval_get(jsonval_get(policy, "spec"), "paramKind");
}

void paramfind_add(struct paramfind *out, struct json_object *object)
{
    out->objects = mem_grow(out->objects, out->count, sizeof(struct json_object *));
    out->objects[out->count++] = json_object_get(object);
}

void paramfind_deinit(struct paramfind *found)
{
    for (size_t i = 0; i < found->count; i++)
        json_object_put(found->objects[i]);
    mem_free(found->objects);
    *found = (struct paramfind){0};
}

char *paramfind_kind_problem(struct json_object *policy, const struct paramfind_source *source)
{
    struct json_object *kind = param_kind(policy);
    const char *api_version = jsonval_string_or_empty(kind, "apiVersion");
    const char *name = jsonval_string_or_empty(kind, "kind");
    if (kind == NULL || source->scope(source->user, api_version, name) != PARAMFIND_UNKNOWN)
        return NULL;
    return mem_printf("failed to find resource referenced by paramKind: '%s%s, Kind=%s'",
                      strchr(api_version, '/') == NULL ? "/" : "", api_version, name);
}

/* Leaves those whose labels match. */
static int select_objects(struct json_object *ref, struct paramfind *found, struct err *err)
{
    struct labelselector *selector;
    size_t kept = 0;
    if (labelselector_from_json(jsonval_get(ref, "selector"), &selector, err) != 0)
        return -1;
    for (size_t i = 0; i < found->count; i++) {
        struct json_object *object = found->objects[i];
        struct json_object *labels = jsonval_get(jsonval_get(object, "metadata"), "labels");
        if (labelselector_matches(selector, labels))
            found->objects[kept++] = object;
        else
            json_object_put(object);
    }
    found->count = kept;
    labelselector_free(selector);
    return 0;
}

/* Finds the namespace of the objects: NULL for kinds that have none. */
static int find_namespace(enum paramfind_scope scope, struct json_object *ref, const char *request_namespace,
                          const char **out, struct err *err)
{
    const char *given = jsonval_string_or_empty(ref, "namespace");
    *out = NULL;
    if (scope == PARAMFIND_CLUSTER && given[0] != '\0')
        return err_set(err, ERR_INVALID,
                       "paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
    if (scope == PARAMFIND_CLUSTER)
        return 0;
    *out = given[0] != '\0' ? given : request_namespace;
    if ((*out)[0] == '\0')
        return err_set(err, ERR_INVALID,
                       "cannot use namespaced paramRef in policy binding that matches cluster-scoped "
                       "resources");
    return 0;
}

static int find_objects(const struct paramfind_query *query, struct json_object *ref,
                        const struct paramfind_source *source, struct paramfind *out, struct err *err)
{
    bool has_selector = jsonval_get(ref, "selector") != NULL;
    if (query->name == NULL && !has_selector)
        return err_set(err, ERR_INVALID, "one of name or selector must be provided");
    if (query->name != NULL && has_selector)
        return err_set(err, ERR_INVALID, "paramRef.name and paramRef.selector are mutually exclusive");
    if (source->find(source->user, query, out, err) != 0)
        return -1;
    if (has_selector && select_objects(ref, out, err) != 0)
        return -1;
    if (out->count == 0 && jsonval_is(ref, "parameterNotFoundAction", "Deny"))
        return err_set(err, ERR_INVALID,
                       "no params found for policy binding with `Deny` parameterNotFoundAction");
    return 0;
}

int paramfind_run(struct json_object *policy, struct json_object *binding, const char *request_namespace,
                  const struct paramfind_source *source, struct paramfind *out, struct err *err)
{
    struct json_object *kind = param_kind(policy);
    struct json_object *ref = jsonval_get(jsonval_get(binding, "spec"), "paramRef");
    const char *name = jsonval_string_or_empty(ref, "name");
    *out = (struct paramfind){0};
    if (kind == NULL || ref == NULL) {
        paramfind_add(out, NULL);
        return 0;
    }
    struct paramfind_query query = {.api_version = jsonval_string_or_empty(kind, "apiVersion"),
                                    .kind = jsonval_string_or_empty(kind, "kind"),
                                    .name = name[0] == '\0' ? NULL : name};
    enum paramfind_scope scope = source->scope(source->user, query.api_version, query.kind);
    if (find_namespace(scope, ref, request_namespace, &query.namespace, err) != 0)
        return -1;
    return find_objects(&query, ref, source, out, err);
}
