#include "cmd/kubectl-vapcheck/input/paramobjects.h"

#include <stdbool.h>
#include <string.h>

#include "client/base/buf.h"
#include "client/base/mem.h"
#include "client/http/url.h"
#include "client/text/jsonval.h"

enum { SELECTOR_CAP_BYTES = 64 * 1024 };

static void put_next(struct buf *out)
{
    if (out->len > 0)
        buf_puts(out, ",");
}

/* "key in (a,b)", "key", ... */
static void put_expression(struct buf *out, struct json_object *expression)
{
    static const struct {
        const char *operator, * before, *after;
        bool has_values;
    } rows[] = {
        {"In", "", " in ", true},
        {"NotIn", "", " notin ", true},
        {"Exists", "", "", false},
        {"DoesNotExist", "!", "", false},
    };
    const char *operator= jsonval_string_or_empty(expression, "operator");
    struct json_object *values = jsonval_array(expression, "values");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].operator, operator) != 0)
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

char *paramobjects_describe(const struct discovery_resource *resource, struct json_object *ref)
{
    const char *name = jsonval_string(ref, "name"), *namespace = jsonval_string_or_empty(ref, "namespace");
    cleanup_mem char *selector = selector_text(jsonval_get(ref, "selector"));
    const char *where = !resource->is_namespaced ? ""
                        : *namespace == '\0'     ? " in any namespace"
                                                 : " in namespace ";
    return mem_printf("%s%s%s%s",
                      name != NULL        ? name
                      : *selector == '\0' ? "at all"
                                          : "with the labels ",
                      name != NULL ? "" : selector, where, resource->is_namespaced ? namespace : "");
}

/* The path of the objects; "" for a namespace: in any. */
static void put_path(struct buf *out, const char *group_version, const char *namespace, const char *resource)
{
    buf_printf(out, "/%s/%s", strchr(group_version, '/') == NULL ? "api" : "apis", group_version);
    if (*namespace != '\0') {
        buf_puts(out, "/namespaces/");
        url_put_encoded(out, namespace);
    }
    buf_printf(out, "/%s", resource);
}

static bool has_items(const char *bytes, size_t len, struct err *err)
{
    cleanup_json struct json_object *list = NULL;
    return jsonval_parse(bytes, len, &list, err) == 0 && jsonval_length(jsonval_array(list, "items")) > 0;
}

enum paramobjects paramobjects_find(struct remote *remote, const char *group_version,
                                    const struct discovery_resource *resource, struct json_object *ref,
                                    struct err *err)
{
    const char *name = jsonval_string(ref, "name");
    const char *namespace = resource->is_namespaced ? jsonval_string_or_empty(ref, "namespace") : "";
    const bool is_one = name != NULL && (*namespace != '\0' || !resource->is_namespaced);
    cleanup_buf struct buf path;
    const char *bytes;
    size_t len;
    buf_init(&path, URL_CAP_BYTES);
    put_path(&path, group_version, namespace, resource->name);
    if (is_one) {
        buf_puts(&path, "/");
        url_put_encoded(&path, name);
    } else {
        cleanup_mem char *wanted =
            name != NULL ? mem_printf("metadata.name=%s", name) : selector_text(jsonval_get(ref, "selector"));
        url_add_query(&path, "limit", "1");
        if (*wanted != '\0')
            url_add_query(&path, name != NULL ? "fieldSelector" : "labelSelector", wanted);
    }
    if (remote_get(remote, path.data, &bytes, &len, err) == 0) {
        const bool is_there = is_one || has_items(bytes, len, err);
        remote_forget_last(remote);
        return is_there                ? PARAMOBJECTS_THERE
               : err->code != ERR_NONE ? PARAMOBJECTS_UNREADABLE
                                       : PARAMOBJECTS_MISSING;
    }
    return err->code == ERR_NOT_FOUND ? PARAMOBJECTS_MISSING : PARAMOBJECTS_UNREADABLE;
}
