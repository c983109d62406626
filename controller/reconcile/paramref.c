#include "controller/reconcile/paramref.h"

#include <string.h>

#include "client/base/buf.h"
#include "client/base/groupversion.h"
#include "client/base/mem.h"
#include "client/http/url.h"
#include "client/text/jsonval.h"
#include "controller/match/policyview.h"

enum { SELECTOR_CAP_BYTES = 64 * 1024 };

/* Parameters may be Secrets, so only their metadata is asked for. */
#define METADATA(kind) "application/json;as=" kind ";g=meta.k8s.io;v=v1,application/json"

static void put_next(struct buf *out)
{
    if (out->len > 0)
        buf_puts(out, ",");
}

/* "key in (a,b)", "key", ... */
static void put_expression(struct buf *out, struct json_object *expression)
{
    static const struct {
        const char *name, *before, *after;
        bool has_values;
    } rows[] = {
        {"In", "", " in ", true},
        {"NotIn", "", " notin ", true},
        {"Exists", "", "", false},
        {"DoesNotExist", "!", "", false},
    };
    const char *wanted = jsonval_string_or_empty(expression, "operator");
    struct json_object *values = jsonval_array(expression, "values");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, wanted) != 0)
            continue;
        put_next(out);
        buf_printf(out, "%s%s%s", rows[i].before, jsonval_string_or_empty(expression, "key"), rows[i].after);
        for (size_t k = 0; rows[i].has_values && k < jsonval_length(values); k++)
            buf_printf(out, "%s%s", k == 0 ? "(" : ",", json_object_get_string(jsonval_at(values, k)));
        buf_puts(out, rows[i].has_values ? ")" : "");
    }
}

/* A metav1.LabelSelector as kubectl's -l takes it; "" selects everything. The caller frees it. */
static char *selector_text(struct json_object *selector)
{
    struct json_object *labels = jsonval_get(selector, "matchLabels");
    struct json_object *expressions = jsonval_array(selector, "matchExpressions");
    struct buf out;
    buf_init(&out, SELECTOR_CAP_BYTES);
    if (json_object_is_type(labels, json_type_object)) {
        json_object_object_foreach(labels, key, value)
        {
            put_next(&out);
            buf_printf(&out, "%s=%s", key, json_object_get_string(value));
        }
    }
    for (size_t i = 0; i < jsonval_length(expressions); i++)
        put_expression(&out, jsonval_at(expressions, i));
    return buf_take(&out, NULL);
}

/* Returns the member's text, or NULL if it has none, however that is written. */
static const char *named(struct json_object *ref, const char *member)
{
    const char *name = jsonval_string_or_empty(ref, member);
    return *name == '\0' ? NULL : name;
}

/* "limits in namespace default" */
static char *describe(const struct discovery_resource *resource, struct json_object *ref)
{
    const char *name = named(ref, "name"), *namespace = jsonval_string_or_empty(ref, "namespace");
    cleanup_mem char *selector = selector_text(jsonval_get(ref, "selector"));
    const char *where = !resource->is_namespaced ? ""
                        : *namespace == '\0'     ? " in any namespace"
                                                 : " in namespace ";
    return mem_printf("%s %s%s%s%s", resource->kind,
                      name != NULL        ? name
                      : *selector == '\0' ? "at all"
                                          : "with the labels ",
                      name != NULL ? "" : selector, where, resource->is_namespaced ? namespace : "");
}

/* A parameter with a name in a known place is read; parameters that may be in several places are listed. */
static void put_request(struct paramref *out, const char *group_version,
                        const struct discovery_resource *resource, struct json_object *ref)
{
    const char *name = named(ref, "name"), *given = resource->is_namespaced ? named(ref, "namespace") : NULL;
    struct buf path;
    out->is_list = name == NULL || (given == NULL && resource->is_namespaced);
    out->is_nowhere = (name != NULL && !url_is_segment(name)) || (given != NULL && !url_is_segment(given));
    if (out->is_nowhere)
        return;
    out->accept = out->is_list ? METADATA("PartialObjectMetadataList") : METADATA("PartialObjectMetadata");
    cleanup_mem char *base = url_resource(&(struct url_resource){.group_version = group_version,
                                                                 .namespace = given,
                                                                 .resource = resource->name,
                                                                 .name = out->is_list ? NULL : name});
    buf_init(&path, URL_CAP_BYTES);
    buf_puts(&path, base);
    if (out->is_list) {
        cleanup_mem char *wanted =
            name != NULL ? mem_printf("metadata.name=%s", name) : selector_text(jsonval_get(ref, "selector"));
        url_add_query(&path, "limit", "1");
        if (*wanted != '\0')
            url_add_query(&path, name != NULL ? "fieldSelector" : "labelSelector", wanted);
    }
    out->path = buf_take(&path, NULL);
}

static bool init_of(struct paramref *out, struct json_object *ref, const struct policyview *policy,
                    const struct discovery *discovery)
{
    if (!policy->policy.has_params)
        return false;
    cleanup_groupversion struct groupversion gv = groupversion_split(policy->param_api_version);
    const struct discovery_resource *resource =
        discovery_find_kind(discovery_find_version(discovery, gv.group, gv.version), policy->param_kind);
    out->allows_none = strcmp(jsonval_string_or_empty(ref, "parameterNotFoundAction"), "Allow") == 0;
    if (resource == NULL && !discovery_is_whole(discovery))
        return false; /* it may be served all the same */
    if (resource == NULL) {
        out->what = mem_printf("kind %s of %s, the paramKind of policy %s", policy->param_kind,
                               policy->param_api_version, policy->name);
        return true;
    }
    out->what = describe(resource, ref);
    out->resource =
        *gv.group == '\0' ? mem_strdup(resource->name) : mem_printf("%s.%s", resource->name, gv.group);
    put_request(out, policy->param_api_version, resource, ref);
    return true;
}

bool paramref_init(struct paramref *out, struct json_object *binding, const struct store_object *policy,
                   const struct discovery *discovery)
{
    struct json_object *ref = jsonval_get(jsonval_get(binding, "spec"), "paramRef");
    cleanup_json struct json_object *json = NULL;
    struct policyview *view;
    struct err err = {0};
    *out = (struct paramref){0};
    if (ref == NULL || policy == NULL || policy->left_out != STORE_WHOLE ||
        store_parse(policy, &json, &err) != 0 ||
        policyview_new_of(POLICYVIEW_VALIDATING, json, &view, &err) != 0)
        return false;
    const bool has_params = init_of(out, ref, view, discovery);
    policyview_free(view);
    return has_params;
}

void paramref_deinit(struct paramref *ref)
{
    mem_free(ref->path);
    mem_free(ref->resource);
    mem_free(ref->what);
    *ref = (struct paramref){0};
}

static bool has_items(const char *bytes, size_t len, struct err *err)
{
    cleanup_json struct json_object *list = NULL;
    return jsonval_parse(bytes, len, &list, err) == 0 && jsonval_length(jsonval_array(list, "items")) > 0;
}

enum paramref_answer paramref_read(const struct paramref *ref, const char *bytes, size_t len, struct err *err)
{
    if (err->code != ERR_NONE)
        return err->code == ERR_NOT_FOUND ? PARAMREF_MISSING : PARAMREF_UNREADABLE;
    const bool is_there = !ref->is_list || has_items(bytes, len, err);
    return is_there ? PARAMREF_THERE : err->code != ERR_NONE ? PARAMREF_UNREADABLE : PARAMREF_MISSING;
}

/* The fate of a request if there is no parameter. */
static const char *consequence(const struct paramref *ref)
{
    return ref->allows_none
               ? "parameterNotFoundAction is Allow, so that the binding has no effect"
               : "parameterNotFoundAction is Deny, so that each request is answered as failurePolicy says";
}

void paramref_add(struct conditions *out, const struct paramref *ref, enum paramref_answer answer,
                  const char *why)
{
    if (ref->is_nowhere)
        answer = PARAMREF_MISSING;
    if (ref->resource == NULL) {
        conditions_add(out, CONDITIONS_PARAMS, "False", "KindNotFound",
                       mem_printf("the cluster serves no %s", ref->what));
        return;
    }
    switch (answer) {
    case PARAMREF_THERE:
        conditions_add(out, CONDITIONS_PARAMS, "True", "Found",
                       mem_printf("the cluster has a %s", ref->what));
        return;
    case PARAMREF_MISSING:
        conditions_add(out, CONDITIONS_PARAMS, "False", "NotFound",
                       mem_printf("there is no %s; %s", ref->what, consequence(ref)));
        return;
    case PARAMREF_UNREADABLE:
        conditions_add(out, CONDITIONS_PARAMS, "Unknown", "Unreadable",
                       mem_printf("it cannot be seen whether there is a %s: %s", ref->what, why));
        return;
    }
}
