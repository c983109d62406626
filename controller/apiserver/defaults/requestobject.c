#include "controller/apiserver/defaults/requestobject.h"

#include <string.h>

#include "bytes/base64.h"
#include "client/base/mem.h"
#include "client/text/jsonval.h"

/* The label of a Namespace. */
static const char NAME_LABEL[] = "kubernetes.io/metadata.name";

/* The text in place of the five letters and digits that the server appends to a generateName. */
static const char GENERATED[] = "x7x7x";

struct json_object *requestobject_copy(struct json_object *object)
{
    struct json_object *copy = jsonval_copy(object), *metadata = jsonval_get(object, "metadata");
    if (json_object_is_type(metadata, json_type_object))
        jsonval_set(copy, "metadata", jsonval_copy(metadata));
    return copy;
}

char *requestobject_name(struct json_object *object)
{
    const char *prefix = jsonval_metadata(object, "generateName");
    const bool is_named = *jsonval_metadata(object, "name") != '\0';
    return is_named || *prefix == '\0' ? NULL : mem_printf("%s%s", prefix, GENERATED);
}

static bool is_core(struct json_object *object, const char *kind)
{
    return jsonval_is(object, "kind", kind) && jsonval_is(object, "apiVersion", "v1");
}

/* ---- reading ---- */

/* A value replaces one of the same key in data. */
static void decode_secret(struct json_object *secret)
{
    struct json_object *texts = jsonval_get(secret, "stringData");
    if (!json_object_is_type(texts, json_type_object))
        return;
    struct json_object *data = jsonval_copy(jsonval_get(secret, "data"));
    jsonval_each(texts, key, value)
    {
        const char *text = value == NULL ? "" : json_object_get_string(value);
        const size_t len = value == NULL ? 0 : (size_t)json_object_get_string_len(value);
        const size_t length = BASE64_LENGTH(len);
        cleanup_mem char *encoded = mem_zalloc(length + 1);
        base64_encode(text, len, encoded);
        jsonval_set(data, key, json_object_new_string_len(encoded, (int)length));
    }
    jsonval_set(secret, "data", data);
    jsonval_drop(secret, "stringData");
}

static void label_namespace(struct json_object *copy)
{
    struct json_object *metadata = jsonval_get(copy, "metadata");
    const char *name = jsonval_string_or_empty(metadata, "name");
    if (*name == '\0')
        return;
    struct json_object *labels = jsonval_copy(jsonval_get(metadata, "labels"));
    jsonval_set(labels, NAME_LABEL, json_object_new_string(name));
    jsonval_set(metadata, "labels", labels);
}

void requestobject_decode(struct json_object *copy)
{
    if (is_core(copy, "Secret"))
        decode_secret(copy);
    else if (is_core(copy, "Namespace"))
        label_namespace(copy);
}

/* ---- the namespace of an object ---- */

/* Copies the metadata as Go writes it: without empty mappings. */
static void copy_metadata(struct json_object *to, struct json_object *from)
{
    static const char *const keys[] = {"generateName",
                                       "selfLink",
                                       "uid",
                                       "resourceVersion",
                                       "generation",
                                       "creationTimestamp",
                                       "deletionTimestamp",
                                       "deletionGracePeriodSeconds",
                                       "labels",
                                       "annotations",
                                       "ownerReferences",
                                       "finalizers",
                                       "managedFields"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct json_object *value = jsonval_get(from, keys[i]);
        if (value != NULL && !(json_object_is_type(value, json_type_object) && jsonval_count(value) == 0))
            jsonval_set(to, keys[i], json_object_get(value));
    }
}

/* The fields that a server sets in a new Namespace. A Namespace with a uid came from a server. */
static void complete_namespace(struct json_object *o, struct json_object *from)
{
    if (*jsonval_metadata(from, "uid") != '\0')
        return;
    struct json_object *spec = jsonval_get(o, "spec"), *status = jsonval_get(o, "status");
    if (json_object_is_type(spec, json_type_object) && jsonval_get(spec, "finalizers") == NULL) {
        struct json_object *finalizers = json_object_new_array();
        jsonval_append(finalizers, json_object_new_string("kubernetes"));
        jsonval_set(spec, "finalizers", finalizers);
    }
    if (json_object_is_type(status, json_type_object) && jsonval_get(status, "phase") == NULL)
        jsonval_set(status, "phase", json_object_new_string("Active"));
}

struct json_object *requestobject_namespace(const char *name, struct json_object *from)
{
    struct json_object *metadata = json_object_new_object(), *o = json_object_new_object(),
                       *spec = jsonval_get(from, "spec"), *status = jsonval_get(from, "status");
    jsonval_set(metadata, "name", json_object_new_string(name));
    copy_metadata(metadata, jsonval_get(from, "metadata"));
    jsonval_set(o, "metadata", metadata);
    label_namespace(o);
    jsonval_set(o, "spec", spec != NULL ? jsonval_copy(spec) : json_object_new_object());
    jsonval_set(o, "status", status != NULL ? jsonval_copy(status) : json_object_new_object());
    complete_namespace(o, from);
    return o;
}

/* ---- creating and updating ---- */

/* Only a Node may be created with its status. */
void requestobject_create(struct json_object *copy, bool has_status)
{
    if (has_status && !is_core(copy, "Node"))
        jsonval_drop(copy, "status");
}

static void keep(struct json_object *to, struct json_object *from, const char *key)
{
    struct json_object *value = jsonval_get(from, key);
    if (value != NULL)
        jsonval_set(to, key, json_object_get(value));
    else
        jsonval_drop(to, key);
}

/* Keeps the part that a change of the status cannot change: all but the status and the metadata. */
static void keep_body(struct json_object *copy, struct json_object *old)
{
    struct json_object *sent = jsonval_copy(copy);
    jsonval_each(sent, key, value)
    {
        (void)value;
        if (strcmp(key, "metadata") != 0 && strcmp(key, "status") != 0)
            keep(copy, old, key);
    }
    json_object_put(sent);
    jsonval_each(old, name, before)
    {
        (void)before;
        if (strcmp(name, "metadata") != 0 && strcmp(name, "status") != 0)
            keep(copy, old, name);
    }
}

/* Keeps the fields that BeforeUpdate of k8s.io/apiserver/pkg/registry/rest keeps. */
static void keep_metadata(struct json_object *metadata, struct json_object *old)
{
    static const struct {
        const char *key;
        bool can_be_sent; /* and then stays as it was sent */
    } kept[] = {{"uid", true},
                {"resourceVersion", true},
                {"creationTimestamp", false},
                {"deletionTimestamp", false},
                {"deletionGracePeriodSeconds", true}};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        bool is_sent = jsonval_get(metadata, kept[i].key) != NULL;
        if (jsonval_get(old, kept[i].key) != NULL && !(is_sent && kept[i].can_be_sent))
            keep(metadata, old, kept[i].key);
    }
}

void requestobject_update(struct json_object *copy, struct json_object *old, const char *subresource,
                          bool has_status)
{
    struct json_object *metadata = jsonval_get(copy, "metadata");
    if (json_object_is_type(metadata, json_type_object))
        keep_metadata(metadata, jsonval_get(old, "metadata"));
    if (strcmp(subresource, "status") == 0)
        keep_body(copy, old);
    else if (has_status && *subresource == '\0')
        keep(copy, old, "status");
}
